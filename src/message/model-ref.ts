/** Which model: the AI SDK's `model.provider` and `model.modelId`. */
export interface ModelRef {
  providerID: string;
  modelID: string;
}
