import { ThroughlineError } from "../errors.ts";
import { describeRequest, type ModelRequest } from "./model-request.ts";

/** A scripted model was called although its script has no reply for this call. */
export class UnexpectedModelCallError extends ThroughlineError {
  /** Number of the call, from 1. */
  readonly call: number;
  readonly request: ModelRequest;

  constructor(call: number, request: ModelRequest) {
    super(
      "unexpected-model-call",
      `Model call ${call} was not expected: the script has no reply for it. In its request ${describeRequest(request)}. ` +
        "Add a reply to the script, or find out why the model was called again.",
    );
    this.call = call;
    this.request = request;
  }
}
