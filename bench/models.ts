import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";

type StreamPart = LanguageModelV4StreamPart;

/** What a model of the bench answers: one list of stream parts per step of a turn, all built in advance. */
export interface ModelScript {
  steps: readonly (readonly StreamPart[])[];
  /**
   * Each part comes with a turn of the event loop of its own, as from a network. Without such pauses a stream is one chain
   * of microtasks, which keeps the event loop from turning at all.
   */
  paced?: boolean | undefined;
}

/** A plain model object. It keeps no state: the step follows from the length of the prompt, so that sessions can share it. */
export function scriptModel({ steps, paced = false }: ModelScript): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error("The bench only streams.");
    },
    doStream: async ({ prompt }): Promise<LanguageModelV4StreamResult> => {
      // The user's message, and two more for each step so far: the call and its result.
      const step = Math.floor((prompt.length - 1) / 2);
      const parts = steps[step];
      if (parts === undefined) throw new Error(`The model was called for step ${step + 1} of ${steps.length}.`);
      return { stream: pullStream(parts, paced) };
    },
  };
}

/** Gives a part when it is asked for, and never before: thousands of parts queued in advance cost quadratic time. */
function pullStream(parts: readonly StreamPart[], paced: boolean): ReadableStream<StreamPart> {
  let next = 0;
  const give = (controller: ReadableStreamDefaultController<StreamPart>): void => {
    const part = parts[next];
    next += 1;
    if (part === undefined) controller.close();
    else controller.enqueue(part);
  };
  return new ReadableStream<StreamPart>(
    {
      pull(controller) {
        if (!paced) {
          give(controller);
          return undefined;
        }
        return new Promise<void>((resolve) => {
          setImmediate(() => {
            give(controller);
            resolve();
          });
        });
      },
    },
    { highWaterMark: 0 },
  );
}

const words = ["The ", "agent ", "reads ", "a ", "file", ", ", "then ", "answers", ". ", "It ", "took ", "three ", "steps", "; ", "no ", "more", ".\n"];

/** A step that only talks. */
export function textStep(deltas: number): StreamPart[] {
  return [streamStart, ...textBlock(deltas), finish("stop")];
}

/** A step that talks, if `deltas` is not 0, and calls the tool `count`. */
export function toolStep(step: number, deltas = 0): StreamPart[] {
  const id = `call_${step}`;
  const input = JSON.stringify({ step });
  return [
    streamStart,
    ...(deltas > 0 ? textBlock(deltas) : []),
    { type: "tool-input-start", id, toolName: "count" },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: "count", input },
    finish("tool-calls"),
  ];
}

/** Steps that call the tool, and a last one that answers. */
export function toolTurn(toolSteps: number, deltasPerStep = 0): StreamPart[][] {
  return [...Array.from({ length: toolSteps }, (_, index) => toolStep(index, deltasPerStep)), textStep(Math.max(deltasPerStep, 1))];
}

const streamStart: StreamPart = { type: "stream-start", warnings: [] };

function textBlock(deltas: number): StreamPart[] {
  // An object for each delta, as a provider makes them.
  const parts = Array.from({ length: deltas }, (_, index): StreamPart => ({ type: "text-delta", id: "text", delta: words[index % words.length] ?? "" }));
  return [{ type: "text-start", id: "text" }, ...parts, { type: "text-end", id: "text" }];
}

function finish(unified: "stop" | "tool-calls"): StreamPart {
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 20, text: 20, reasoning: 0 },
    },
  };
}
