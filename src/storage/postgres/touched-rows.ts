import type { Operation, OperationOf } from "../storage.ts";

/** Which rows a batch must be judged on. */
export interface TouchedRows {
  messages: Set<string>;
  /** Places in the transcript that must be free. */
  positions: Set<number>;
  /** By message. */
  parts: Map<string, Set<string>>;
  /** Messages with all their parts: a prompt that exists already is shown whole to who admits it again. */
  wholes: Set<string>;
  asks: Set<string>;
  artifacts: Set<string>;
  aborts: Set<string>;
}

export function touchedRows(operations: readonly Operation[]): TouchedRows {
  const touched: TouchedRows = {
    messages: new Set(),
    positions: new Set(),
    parts: new Map(),
    wholes: new Set(),
    asks: new Set(),
    artifacts: new Set(),
    aborts: new Set(),
  };
  for (const operation of operations) {
    // The table pairs each type with its own operation, which the compiler cannot see for a union of them.
    (collectors[operation.type] as (touched: TouchedRows, operation: Operation) => void)(touched, operation);
  }
  return touched;
}

const collectors: { readonly [Type in Operation["type"]]: (touched: TouchedRows, operation: OperationOf<Type>) => void } = {
  "session.create": () => undefined,
  "session.delete": () => undefined,
  "session.put": () => undefined,
  "message.put": ({ messages, positions }, { message }) => {
    messages.add(message.id);
    if (message.position !== undefined) positions.add(message.position);
  },
  "message.delete": ({ messages }, { messageID }) => messages.add(messageID),
  "message.promote": ({ messages, positions }, { messageID, position }) => {
    messages.add(messageID);
    positions.add(position);
  },
  "part.put": (touched, { part }) => addPart(touched, part.messageID, part.id),
  "part.delete": (touched, { messageID, partID }) => addPart(touched, messageID, partID),
  "part.append": (touched, { messageID, partID }) => addPart(touched, messageID, partID),
  "ask.put": ({ asks }, { ask }) => asks.add(ask.id),
  "ask.delete": ({ asks }, { askID }) => asks.add(askID),
  "ask.reply": ({ asks }, { askID }) => asks.add(askID),
  "artifact.put": ({ artifacts }, { artifact }) => artifacts.add(artifact.id),
  "artifact.append": ({ artifacts }, { artifactID }) => artifacts.add(artifactID),
  "artifact.delete": ({ artifacts }, { artifactID }) => artifacts.add(artifactID),
  "prompt.admit": ({ messages, wholes }, { message }) => {
    messages.add(message.id);
    wholes.add(message.id);
  },
  "prompt.cancel": ({ messages }, { messageID }) => messages.add(messageID),
  "abort.request": ({ aborts }, { abort }) => aborts.add(abort.id),
  "abort.clear": ({ aborts }, { abortID }) => aborts.add(abortID),
};

function addPart({ messages, parts }: TouchedRows, messageID: string, partID: string): void {
  messages.add(messageID);
  const ids = parts.get(messageID) ?? new Set();
  parts.set(messageID, ids.add(partID));
}
