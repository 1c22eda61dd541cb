import type { PartWrites } from "./part-writes.ts";
import type { Reader } from "./stored-rows.ts";
import type { Tombstones } from "./tombstones.ts";

/** A session's row, as a batch needs it. */
export interface SessionHead {
  key: number;
  id: string;
  parentID: string | undefined;
  rootID: string;
  seq: number;
  tombstones: number;
  floor: number;
}

/** What the tables need to write for a batch. */
export interface BatchTarget extends Reader {
  session: SessionHead;
  /** The session's new seq, which the batch's rows are stamped with. */
  seq: number;
  tombstones: Tombstones;
  /** Parts that were put: written with the batch's other rows, or before somebody reads parts. */
  partWrites: PartWrites;
  /** Messages whose parts were written, by key: the change feed finds parts by their message. */
  touched: Set<number>;
}
