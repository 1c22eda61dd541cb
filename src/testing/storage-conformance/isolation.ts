import type { Operation, Storage } from "../../storage/storage.ts";
import { assertEqual, assertRejects, present } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readChanges, readEverything } from "./read-everything.ts";
import { abortRow, artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "./rows.ts";

/** Changes an object as deep as it goes. A store may have frozen it: then the attempt throws, which is as good. */
function vandalise(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    vandalise(inner);
    try {
      Object.assign(value, { [key]: "vandalised" });
    } catch {
      return;
    }
  }
}

async function readAll(storage: Storage): Promise<unknown[]> {
  return [
    await storage.getSession(sessionID),
    await storage.listSessions(),
    await storage.listMessages(sessionID),
    await storage.inbox(sessionID),
    await storage.listAsks(),
    await readChanges(storage, 0),
    await storage.getArtifact(sessionID, "art_1"),
    await storage.getArtifact(sessionID, "art_1", { offset: 1 }),
  ];
}

export const isolationTopic: ConformanceTopic = {
  name: "isolation",
  cases: [
    {
      name: "rows that went in are not shared with the caller",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const rows = () => ({
          session: sessionRow(sessionID, { metadata: { nested: { list: [1, 2] } }, permission: [{ permission: "bash", action: "allow" }] }),
          message: assistantRow("msg_1", 1),
          text: textPart("msg_1", "prt_1", "text"),
          tool: toolPart("msg_1", "prt_2"),
          queued: promptRow("msg_q"),
          queuedPart: textPart("msg_q", "prt_q"),
          ask: askRow("ask_1"),
          artifact: artifactRow("art_1", "text"),
          abort: abortRow("abt_1"),
        });
        const given = rows();
        await owner.write(
          { type: "session.put", session: given.session },
          { type: "message.put", message: given.message },
          { type: "part.put", part: given.text },
          { type: "part.put", part: given.tool },
          { type: "prompt.admit", message: given.queued, parts: [given.queuedPart] },
          { type: "ask.put", ask: given.ask },
          { type: "artifact.put", artifact: given.artifact },
          { type: "abort.request", abort: given.abort },
        );
        vandalise(given);
        const expected = rows();
        const { queued, asks, aborts } = await storage.inbox(sessionID);
        assertEqual(await storage.getSession(sessionID), { ...expected.session, seq: 2 }, "The session");
        assertEqual(
          (await storage.listMessages(sessionID)).items,
          [{ info: expected.message, parts: [expected.text, expected.tool] }],
          "The transcript",
        );
        assertEqual(queued, [{ info: expected.queued, parts: [expected.queuedPart] }], "The queue");
        assertEqual([asks, aborts], [[expected.ask], [expected.abort]], "The asks and abort requests");
        assertEqual(await storage.getArtifact(sessionID, "art_1"), expected.artifact, "The artifact");
      },
    },
    {
      name: "rows and lists that come out are not shared with the store",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: toolPart("msg_1", "prt_1") },
          { type: "prompt.admit", message: promptRow("msg_q"), parts: [textPart("msg_q", "prt_q")] },
          { type: "ask.put", ask: askRow("ask_1") },
          { type: "artifact.put", artifact: artifactRow("art_1", "text") },
          { type: "abort.request", abort: abortRow("abt_1") },
        );
        const before = await readEverything(storage);
        for (const result of await readAll(storage)) vandalise(result);
        for (const list of [
          (await storage.listMessages(sessionID)).items,
          (await storage.inbox(sessionID)).queued,
          await storage.listAsks(),
        ])
          list.length = 0;
        assertEqual(await readEverything(storage), before, "What the store says after its answers were changed");
      },
    },
    {
      name: "a row that was read stays as it was when the store goes on",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "a") },
        );
        const message = present((await storage.listMessages(sessionID)).items[0], "The message");
        await owner.write(
          { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: 1, text: "b" },
          { type: "part.put", part: textPart("msg_1", "prt_2") },
        );
        assertEqual(
          message,
          { info: assistantRow("msg_1", 1), parts: [textPart("msg_1", "prt_1", "a")] },
          "The message that was read before",
        );
      },
    },
    {
      name: "a lease that is changed by its holder gives no other rights",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        vandalise({ ...owner.lease });
        vandalise(await storage.acquireLease(sessionID, "own_1", 60_000));
        await owner.write({ type: "session.put", session: sessionRow(sessionID) });
      },
    },
    {
      name: "a row that a conflict carries is not shared with the store",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const admit = { type: "prompt.admit" as const, message: promptRow("msg_q"), parts: [textPart("msg_q", "prt_q", "text")] };
        await owner.write(admit, { type: "ask.put", ask: askRow("ask_1", { status: "closed" }) }, { type: "message.put", message: assistantRow("msg_1", 1) });
        const before = await readEverything(storage);
        const refused: Operation[] = [
          admit,
          { type: "session.create", session: sessionRow(sessionID) },
          { type: "prompt.cancel", messageID: "msg_1", time: 2 },
          { type: "ask.reply", askID: "ask_1", reply: { decision: "once" }, time: 2 },
        ];
        for (const operation of refused) {
          const error = await assertRejects(commitUnleased(storage, operation), "conflict", operation.type);
          if ("existing" in error) vandalise(error.existing);
        }
        assertEqual(await readEverything(storage), before, "What the store says after the rows of its conflicts were changed");
      },
    },
  ],
};
