import { ThroughlineError } from "../errors.ts";
import type { RequestFinding } from "./validate-request.ts";

/** A strict model refused a request that a real provider would refuse. */
export class InvalidRequestError extends ThroughlineError {
  readonly findings: readonly RequestFinding[];

  constructor(findings: readonly RequestFinding[]) {
    super("invalid-request", ["The request breaks the wire rules of this model:", ...findings.map(describeFinding)].join("\n"));
    this.findings = findings;
  }
}

function describeFinding({ rule, index, message }: RequestFinding): string {
  return `- ${index === undefined ? "request" : `prompt[${index}]`}: ${message} (${rule})`;
}
