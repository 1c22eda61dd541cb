import { InvalidArgumentError } from "../../errors.ts";
import { fields, oneOf, type OptionCheck } from "../../util/check-options.ts";

/** How calls are handled that need the leave of a person. */
export interface AskOptions {
  /**
   * `hold` (default): the turn waits in place for the reply. `release`: the turn ends as `waiting`, so that the process
   * may exit; after the reply `session.resume()` goes on, in any process.
   */
  mode?: "hold" | "release" | undefined;
  /**
   * Milliseconds after which an ask counts as rejected. Default `Infinity`: a person may take their time. With 0 nobody is
   * asked: the call is refused at once, the model reads why and goes on.
   */
  timeoutMs?: number | undefined;
  /**
   * What a rejection does to the turn. Default: without a message it ends the turn as `rejected`, with one the model reads
   * it and goes on. `stop` always ends the turn, `continue` never.
   */
  onReject?: "stop" | "continue" | undefined;
}

/** The same, complete. */
export interface AskSettings {
  mode: "hold" | "release";
  timeoutMs: number;
  onReject: "stop" | "continue" | undefined;
}

/** Longest wait that timers take. */
const longestMs = 2_147_483_647;

export const askTimeout: OptionCheck = (value, argument) => {
  if (typeof value === "number" && value >= 0 && (value <= longestMs || value === Number.POSITIVE_INFINITY)) return;
  throw new InvalidArgumentError(argument, `expected a number of milliseconds between 0 and ${longestMs}, or Infinity.`);
};

export const checkAsks: OptionCheck = fields<AskOptions>({ mode: oneOf("hold", "release"), timeoutMs: askTimeout, onReject: oneOf("stop", "continue") });
