import type { Json } from "./json.ts";

/** How a body arrives: each line in a turn of the event loop of its own, or cut into pieces of some bytes. */
export type Delivery = "line by line" | { bytes: number };

/** A `fetch` that answers from a recording and keeps what it was sent. */
export interface RecordedFetch {
  fetch: typeof fetch;
  /** The request bodies, in order. */
  bodies: Json[];
}

/** @param answers the lines of each answer; after the last of them `plainAnswer` is given again and again */
export function recordedFetch(answers: readonly (readonly string[])[], plainAnswer: readonly string[], delivery: Delivery): RecordedFetch {
  const bodies: Json[] = [];
  return {
    bodies,
    fetch: async (_url, init) => {
      const lines = answers[bodies.length] ?? plainAnswer;
      // The SDK's packages send JSON text.
      bodies.push(JSON.parse(init?.body as string) as Json);
      const events = [...lines, "[DONE]"].map((line) => `data: ${line}\n\n`);
      return new Response(streamOf(pieces(events, delivery)), { headers: { "content-type": "text/event-stream" } });
    },
  };
}

function pieces(events: readonly string[], delivery: Delivery): Uint8Array[] {
  const encoder = new TextEncoder();
  if (delivery === "line by line") return events.map((event) => encoder.encode(event));
  const bytes = encoder.encode(events.join(""));
  // Cuts fall inside characters, too.
  return Array.from({ length: Math.ceil(bytes.length / delivery.bytes) }, (_, index) => bytes.slice(index * delivery.bytes, (index + 1) * delivery.bytes));
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = chunks.values();
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = rest.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
