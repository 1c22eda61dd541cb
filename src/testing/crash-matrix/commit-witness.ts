import type { Outcome } from "../../message/message.ts";
import type { ToolPart } from "../../message/part.ts";
import { isSettled } from "../../message/tool-state.ts";
import type { Batch, Operation, Storage } from "../../storage/storage.ts";
import { interceptStorage } from "../intercept-storage.ts";

/** What was written to a store, by all processes: what was promised, and whether something written once was changed. */
export class CommitWitness {
  /** Prompts whose admission was written. */
  readonly accepted = new Set<string>();
  readonly problems: string[] = [];
  readonly #outcomes = new Map<string, Outcome["type"]>();
  readonly #results = new Map<string, ToolPart["state"]["status"]>();

  /** The storage, watched. */
  watch(storage: Storage): Storage {
    return interceptStorage(storage, async ({ batch }, next) => {
      const answer = await next();
      if (batch !== undefined) this.#note(batch);
      return answer;
    });
  }

  /** The outcome that was written for a prompt. */
  outcomeOf(messageID: string): Outcome["type"] | undefined {
    return this.#outcomes.get(messageID);
  }

  #note({ operations }: Batch): void {
    for (const operation of operations) this.#noteOperation(operation);
  }

  #noteOperation(operation: Operation): void {
    switch (operation.type) {
      case "prompt.admit":
        this.accepted.add(operation.message.id);
        return;
      case "prompt.cancel":
        this.#noteOutcome(operation.messageID, "cancelled");
        return;
      case "message.put":
        if (operation.message.role !== "user") return;
        if (operation.message.outcome !== undefined) this.#noteOutcome(operation.message.id, operation.message.outcome.type);
        else if (this.#outcomes.has(operation.message.id)) this.problems.push(`the outcome of prompt "${operation.message.id}" was taken back`);
        return;
      case "part.put":
        if (operation.part.type === "tool") this.#noteCall(operation.part);
        return;
      case "message.delete":
        if (this.accepted.has(operation.messageID)) this.problems.push(`the accepted prompt "${operation.messageID}" was deleted`);
        return;
      default:
    }
  }

  #noteOutcome(messageID: string, type: Outcome["type"]): void {
    const before = this.#outcomes.get(messageID);
    if (before !== undefined && before !== type) this.problems.push(`the outcome of prompt "${messageID}" was "${before}", and then "${type}"`);
    this.#outcomes.set(messageID, type);
  }

  #noteCall({ messageID, id, callID, state }: ToolPart): void {
    const key = JSON.stringify([messageID, id]);
    const before = this.#results.get(key);
    if (before !== undefined && before !== state.status) this.problems.push(`the result of call "${callID}" was "${before}", and then "${state.status}"`);
    if (isSettled(state)) this.#results.set(key, state.status);
  }
}
