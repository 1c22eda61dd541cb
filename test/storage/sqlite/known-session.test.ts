import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ConflictError, LeaseLostError } from "../../../src/errors.ts";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { commitUnleased, ownNewSession, ownSession, type Owner } from "../../../src/testing/storage-conformance/owner.ts";
import { assistantRow, promptRow, sessionID, sessionRow, textPart } from "../../../src/testing/storage-conformance/rows.ts";
import { rawConnection, temporaryFolder } from "./temporary-store.ts";

/** Two stores on one file, as two processes have them. The first owns a session, and has written to it twice: it knows it. */
async function twoStores(run: (stores: { first: Storage; second: Storage; owner: Owner; path: string }) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const path = folder.path("store.db");
  const [first, second] = [sqliteStorage(path), sqliteStorage(path)];
  const owner = await ownNewSession(first);
  await owner.write({ type: "prompt.admit", message: promptRow("msg_prompt"), parts: [] });
  await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) });
  await run({ first, second, owner, path });
  await Promise.all([first.close(), second.close()]);
}

it("a prompt that another process cancelled between two commits is not promoted", () =>
  twoStores(async ({ first, second, owner }) => {
    await owner.write({ type: "message.put", message: promptRow("msg_prompt") });
    await commitUnleased(second, { type: "prompt.cancel", messageID: "msg_prompt", time: 5 });
    await expect(owner.write({ type: "message.promote", messageID: "msg_prompt", position: 2 })).rejects.toBeInstanceOf(ConflictError);
    expect((await first.listMessages(sessionID)).items.map(({ info }) => info.id)).toEqual(["msg_1"]);
  }));

it("a message that another process admitted between two commits is there", () =>
  twoStores(async ({ second, owner }) => {
    await commitUnleased(second, { type: "prompt.admit", message: promptRow("msg_2"), parts: [] });
    await expect(owner.write({ type: "message.put", message: assistantRow("msg_2", 2) })).rejects.toBeInstanceOf(ConflictError);
    expect((await second.inbox(sessionID)).queued.map(({ info }) => info.id)).toEqual(["msg_prompt", "msg_2"]);
  }));

it("the seq counts on over the commits of another process", () =>
  twoStores(async ({ second, owner }) => {
    const seq = await commitUnleased(second, { type: "prompt.admit", message: promptRow("msg_2"), parts: [] });
    expect(await owner.write({ type: "message.put", message: assistantRow("msg_3", 2) })).toBe(seq + 1);
    expect(await owner.write({ type: "message.put", message: assistantRow("msg_4", 3) })).toBe(seq + 2);
    expect((await second.getSession(sessionID))?.seq).toBe(seq + 2);
  }));

it("an owner whose lease another process took writes nothing, though nobody wrote to the session", () =>
  twoStores(async ({ second, owner, path }) => {
    const raw = rawConnection(path);
    raw.run("UPDATE lease SET owner = NULL", []);
    raw.close();
    await ownSession(second, sessionID, "own_2");
    await expect(owner.write({ type: "message.put", message: assistantRow("msg_2", 2) })).rejects.toBeInstanceOf(LeaseLostError);
    const page = await second.listMessages(sessionID);
    expect([page.items.length, (await second.getSession(sessionID))?.seq]).toEqual([1, 3]);
  }));

it("what a refused batch wrote is not taken for known", () =>
  twoStores(async ({ first, owner }) => {
    const put = { type: "message.put" as const, message: assistantRow("msg_2", 2) };
    const part = textPart("msg_2", "prt_1");
    await expect(owner.write(put, { type: "part.put", part }, { type: "message.promote", messageID: "msg_none", position: 9 })).rejects.toBeInstanceOf(ConflictError);
    expect((await first.listMessages(sessionID)).items.map(({ info }) => info.id)).toEqual(["msg_1"]);
    await owner.write(put, { type: "part.put", part });
    const { items } = await first.listMessages(sessionID);
    expect(items.map(({ info, parts }) => [info.id, parts.map(({ id }) => id)])).toEqual([["msg_2", ["prt_1"]], ["msg_1", []]]);
    expect((await first.getSession(sessionID))?.seq).toBe(4);
  }));

it("a message that was deleted in one commit can be put again in the next", () =>
  twoStores(async ({ first, owner }) => {
    await owner.write({ type: "message.delete", messageID: "msg_1" });
    await owner.write({ type: "message.put", message: assistantRow("msg_1", 1, { step: 7 }) });
    expect((await first.listMessages(sessionID)).items.map(({ info }) => info)).toMatchObject([{ id: "msg_1", position: 1, step: 7 }]);
    await expect(owner.write({ type: "message.put", message: assistantRow("msg_2", 1) })).rejects.toBeInstanceOf(ConflictError);
  }));

it("a session's row that does not fit is refused with the stored one, as it was before the batch", () =>
  twoStores(async ({ first, owner }) => {
    const moved = sessionRow(sessionID, { rootID: "ses_other", parentID: "ses_other", title: "Moved" });
    const refused = await owner.write({ type: "session.put", session: moved }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConflictError);
    expect((refused as ConflictError).existing).toEqual(await first.getSession(sessionID));
  }));

it("a text in pieces is whole again when its part is put among others", () =>
  twoStores(async ({ first, owner, path }) => {
    const texts = ["prt_1", "prt_2", "prt_3"].map((id) => textPart("msg_1", id));
    await owner.write(...texts.map((part) => ({ type: "part.put" as const, part: { ...part, text: "a" } })));
    await owner.write({ type: "part.append", messageID: "msg_1", partID: "prt_2", field: "text", offset: 1, text: "b" });
    // One that is put and goes on in the same batch, too.
    await owner.write(
      ...texts.map((part) => ({ type: "part.put" as const, part: { ...part, text: "whole" } })),
      { type: "part.append", messageID: "msg_1", partID: "prt_3", field: "text", offset: 5, text: "!" },
    );
    const [message] = (await first.listMessages(sessionID)).items;
    expect(message?.parts.map((part) => ("text" in part ? part.text : undefined))).toEqual(["whole", "whole", "whole!"]);
    const raw = rawConnection(path);
    expect(raw.rows("SELECT count(*) FROM part_piece", [])).toEqual([[1]]);
    raw.close();
  }));

it("more parts than go into one statement keep their order", () =>
  twoStores(async ({ first, owner }) => {
    const parts = Array.from({ length: 19 }, (_, index) => textPart("msg_1", `prt_${index}`));
    await owner.write(...parts.map((part) => ({ type: "part.put" as const, part })));
    const [message] = (await first.listMessages(sessionID)).items;
    expect(message?.parts.map(({ id }) => id)).toEqual(parts.map(({ id }) => id));
  }));

it("hundreds of writes at once let other work run in between, and are all written in order", () =>
  twoStores(async ({ first }) => {
    let written = 0;
    const seqs = Array.from({ length: 200 }, (_, index) =>
      commitUnleased(first, { type: "prompt.admit", message: promptRow(`msg_many_${index}`), parts: [] }).finally(() => (written += 1)),
    );
    await nextTurn();
    await nextTurn();
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(200);
    const first200 = await Promise.all(seqs);
    expect(first200).toEqual(Array.from({ length: 200 }, (_, index) => index + 4));
  }));
