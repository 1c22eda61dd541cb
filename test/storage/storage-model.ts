import type { Ask } from "../../src/message/ask.ts";
import type { Message, WithParts } from "../../src/message/message.ts";
import type { AbortRequest, Artifact, Operation } from "../../src/storage/storage.ts";

/** What the model says in place of a `ConflictError`. */
export class ModelConflict extends Error {}

interface ModelState {
  title: string;
  /** In order of creation, each with its parts in order of creation. */
  messages: WithParts[];
  asks: Ask[];
  aborts: AbortRequest[];
  knownAborts: string[];
  artifacts: Artifact[];
}

/** The contract of one session's rows, in the plainest way: lists that are copied for each batch. */
export class StorageModel {
  #state: ModelState = { title: "", messages: [], asks: [], aborts: [], knownAborts: [], artifacts: [] };

  get state(): Readonly<ModelState> {
    return this.#state;
  }

  /** Newest first. */
  get transcript(): WithParts[] {
    const promoted = this.#state.messages.filter(({ info }) => info.position !== undefined);
    return promoted.sort((a, b) => (b.info.position ?? 0) - (a.info.position ?? 0));
  }

  get queued(): WithParts[] {
    return this.#state.messages.filter(({ info }) => info.role === "user" && info.state === "queued");
  }

  /** @throws {ModelConflict} and changes nothing */
  commit(operations: readonly Operation[]): void {
    const state = structuredClone(this.#state);
    for (const operation of operations) apply(state, structuredClone(operation));
    this.#state = state;
  }
}

function apply(state: ModelState, operation: Operation): void {
  switch (operation.type) {
    case "session.put":
      state.title = operation.session.title;
      return;
    case "message.put":
      return putMessage(state, operation.message);
    case "message.delete":
      state.messages = state.messages.filter(({ info }) => info.id !== operation.messageID);
      return;
    case "message.promote":
      return promote(state, operation.messageID, operation.position);
    case "prompt.admit":
      demand(findMessage(state, operation.message.id) === undefined);
      state.messages.push({ info: operation.message, parts: [...operation.parts] });
      return;
    case "prompt.cancel":
      queuedMessage(state, operation.messageID).info = {
        ...queuedPrompt(state, operation.messageID),
        state: "cancelled",
        outcome: { type: "cancelled", time: operation.time },
      };
      return;
    case "part.put":
      return upsert(existing(findMessage(state, operation.part.messageID)).parts, operation.part);
    case "part.delete":
      return remove(findMessage(state, operation.messageID)?.parts ?? [], operation.partID);
    case "part.append": {
      const part = existing(findMessage(state, operation.messageID)?.parts.find(({ id }) => id === operation.partID));
      demand(part.type === "text");
      if (part.type === "text") part.text = splice(part.text, operation.offset, operation.text);
      return;
    }
    default:
      return applyOther(state, operation);
  }
}

function applyOther(state: ModelState, operation: Operation): void {
  switch (operation.type) {
    case "ask.put":
      return upsert(state.asks, operation.ask);
    case "ask.delete":
      return remove(state.asks, operation.askID);
    case "ask.reply": {
      const ask = existing(state.asks.find(({ id }) => id === operation.askID));
      demand(ask.status === "open");
      return upsert(state.asks, { ...ask, status: "replied", reply: operation.reply, time: { ...ask.time, replied: operation.time } });
    }
    case "artifact.put":
      return upsert(state.artifacts, { ...operation.artifact, size: operation.artifact.text.length });
    case "artifact.delete":
      return remove(state.artifacts, operation.artifactID);
    case "artifact.append": {
      const artifact = existing(state.artifacts.find(({ id }) => id === operation.artifactID));
      const text = splice(artifact.text, operation.offset, operation.text);
      return upsert(state.artifacts, { ...artifact, text, size: text.length });
    }
    case "abort.request":
      if (!state.knownAborts.includes(operation.abort.id)) upsert(state.aborts, operation.abort);
      state.knownAborts.push(operation.abort.id);
      return;
    case "abort.clear":
      return remove(state.aborts, operation.abortID);
    default:
      throw new Error(`The model does not know ${operation.type}.`);
  }
}

function putMessage(state: ModelState, message: Message): void {
  const old = findMessage(state, message.id);
  demand(old === undefined || old.info.position === message.position);
  demandFree(state, message.position, message.id);
  if (old === undefined) state.messages.push({ info: message, parts: [] });
  else old.info = message;
}

function promote(state: ModelState, messageID: string, position: number): void {
  if (findMessage(state, messageID)?.info.position === position) return;
  const { state: _, ...message } = queuedPrompt(state, messageID);
  demandFree(state, position, messageID);
  queuedMessage(state, messageID).info = { ...message, position };
}

function findMessage(state: ModelState, id: string): WithParts | undefined {
  return state.messages.find(({ info }) => info.id === id);
}

function queuedMessage(state: ModelState, id: string): WithParts {
  const message = existing(findMessage(state, id));
  demand(message.info.role === "user" && message.info.state === "queued");
  return message;
}

function queuedPrompt(state: ModelState, id: string): Extract<Message, { role: "user" }> {
  const { info } = queuedMessage(state, id);
  if (info.role !== "user") throw new ModelConflict();
  return info;
}

function demandFree(state: ModelState, position: number | undefined, messageID: string): void {
  demand(position === undefined || !state.messages.some(({ info }) => info.position === position && info.id !== messageID));
}

function splice(text: string, offset: number, addition: string): string {
  demand(offset <= text.length);
  return text.slice(0, offset) + addition;
}

function upsert<T extends { id: string }>(rows: T[], row: T): void {
  const index = rows.findIndex(({ id }) => id === row.id);
  if (index === -1) rows.push(row);
  else rows[index] = row;
}

function remove(rows: { id: string }[], id: string): void {
  const index = rows.findIndex((row) => row.id === id);
  if (index !== -1) rows.splice(index, 1);
}

function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new ModelConflict();
  return row;
}

function demand(condition: boolean): void {
  if (!condition) throw new ModelConflict();
}
