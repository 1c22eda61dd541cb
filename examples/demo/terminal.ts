import type { WriteStream } from "node:tty";
import type { SessionEvent, SessionEventType } from "throughline";
import { eventMeanings } from "./event-meanings.ts";

/** Shows events: each kind once with its meaning, each tool call, and the model's text as it comes. */
export class Terminal {
  readonly #out: WriteStream;
  readonly #hasColours: boolean;
  readonly #seen = new Set<SessionEventType>();
  /** Streamed text has not ended its line yet. */
  #midLine = false;

  constructor(out: WriteStream) {
    this.#out = out;
    this.#hasColours = out.isTTY && out.hasColors();
  }

  show(event: SessionEvent): void {
    if (!this.#seen.has(event.type)) {
      this.#seen.add(event.type);
      this.line(this.#dim(`  ${event.type.padEnd(17)} ${eventMeanings[event.type]}`));
    }
    if (event.type === "part.delta" && event.partType === "text") this.#stream(event.delta);
    if (event.type === "tool.started") this.line(this.#bold(`→ ${event.tool} ${JSON.stringify(event.input)}`));
    if (event.type === "tool.finished") this.line(this.#bold(`← ${event.tool}: ${event.status}`));
  }

  line(text: string): void {
    this.#out.write(`${this.#midLine ? "\n" : ""}${text}\n`);
    this.#midLine = false;
  }

  #stream(text: string): void {
    this.#out.write(text);
    this.#midLine = true;
  }

  #bold(text: string): string {
    return this.#hasColours ? `\u001b[1m${text}\u001b[22m` : text;
  }

  #dim(text: string): string {
    return this.#hasColours ? `\u001b[2m${text}\u001b[22m` : text;
  }
}
