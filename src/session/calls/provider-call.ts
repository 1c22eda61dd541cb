import type { Ask } from "../../message/ask.ts";
import type { JSONObject } from "../../message/json.ts";
import type { ToolPart } from "../../message/part.ts";
import { objectOf, ranForMs, type StreamedCall } from "../step/call-fold.ts";
import { finishedEvent } from "./call-events.ts";
import type { Refusal, StepCalls } from "./close-calls.ts";
import { decide, judge, type Leave } from "./decide-call.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** A call that the provider runs once it has leave, which a person has to give. */
export interface ProviderApproval {
  call: StreamedCall;
  leave: Leave;
  ask: Ask;
  tool: undefined;
}

/** A call that the provider runs: it wants leave first, or gives its result in a later message. Returned when a person decides. */
export async function prepareProviderCall(call: StreamedCall, calls: StepCalls, environment: ToolEnvironment): Promise<ProviderApproval | undefined> {
  const { approval, tool } = call.part;
  if (approval === undefined) {
    settle(call, { output: "The provider runs this tool and gives its result later.", change: { deferred: "call" } }, calls, environment);
    return undefined;
  }
  const leave: Leave & { title: string } = { tool, permission: tool, patterns: ["*"], input: objectOf(call.raw), defaultAction: undefined, told: { always: ["*"] }, title: tool };
  const verdict = judge(call, leave, await decide(call, leave, environment), { asks: environment.asks, onOpened: () => undefined });
  if (verdict.action === "ask") return { call, leave, ask: verdict.ask, tool: undefined };
  answerProvider(call, verdict.action === "refuse" ? verdict : undefined, calls, environment);
  return undefined;
}

/** Tells the provider whether it may run the call. */
export function answerProvider(call: StreamedCall, refusal: Refusal | undefined, calls: StepCalls, environment: ToolEnvironment): void {
  const { approval } = call.part;
  const answered = approval && { ...approval, approved: refusal === undefined, reason: refusal?.error };
  settle(call, { output: "Approved.", refusal, change: { approval: answered } }, calls, environment);
}

interface ProviderResult {
  output: string;
  refusal?: Refusal | undefined;
  change: Partial<ToolPart>;
}

function settle(call: StreamedCall, { output, refusal, change }: ProviderResult, { fold, parts }: StepCalls, environment: ToolEnvironment): void {
  const now = environment.clock.now();
  const input: JSONObject = objectOf(call.raw);
  const time = { start: now, end: now };
  const state =
    refusal === undefined
      ? ({ status: "completed", input, output, title: call.part.tool, metadata: {}, time } as const)
      : ({ status: "error", input, error: refusal.error, ...(refusal.rejected === true && { rejected: true }), time } as const);
  const row = fold.move(call, state, change);
  parts.replace(row, "soon", [finishedEvent(row, ranForMs(call, environment.clock), environment)]);
}
