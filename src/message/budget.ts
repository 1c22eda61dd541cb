/** What a turn may use. A limit that is not given is none. */
export interface Budget {
  /** All tokens of its model calls, sent and received. */
  tokens?: number | undefined;
  /** In the unit of the `prices` option, without which every cost is 0. */
  cost?: number | undefined;
  /** Time that the turn is at work, in ms; waiting for a person, or for a slot, is none. */
  durationMs?: number | undefined;
}
