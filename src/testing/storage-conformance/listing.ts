import type { SessionQuery, Storage } from "../../storage/storage.ts";
import { assertEqual, assertRejects, present } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { askRow, promptRow, sessionID, sessionRow } from "./rows.ts";
import type { SessionInfo } from "../../message/session-info.ts";

async function create(storage: Storage, id: string, fields: Partial<SessionInfo> = {}): Promise<void> {
  await storage.commit({ sessionID: id, operations: [{ type: "session.create", session: sessionRow(id, fields) }] });
}

async function ids(storage: Storage, query?: SessionQuery): Promise<string[]> {
  return (await storage.listSessions(query)).items.map(({ id }) => id);
}

export const listingTopic: ConformanceTopic = {
  name: "listing",
  cases: [
    {
      name: "gives the session with the newest commit first, whatever the clocks and ids",
      run: async ({ storage }) => {
        await create(storage, "ses_2", { time: { created: 9, updated: 9 } });
        await create(storage, sessionID, { time: { created: 5, updated: 5 } });
        await create(storage, "ses_3", { time: { created: 1, updated: 1 } });
        assertEqual(await ids(storage), ["ses_3", sessionID, "ses_2"], "The sessions");
        await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [] });
        assertEqual(await ids(storage), [sessionID, "ses_3", "ses_2"], "The sessions after a commit");
        assertEqual((await storage.listSessions()).items[0], await storage.getSession(sessionID), "The listed row");
      },
    },
    {
      name: "filters by parent, directory and project",
      run: async ({ storage }) => {
        await create(storage, sessionID, { directory: "/a", projectID: "one" });
        await create(storage, "ses_2", { directory: "/b", projectID: "one" });
        await create(storage, "ses_child", { parentID: sessionID, rootID: sessionID, directory: "/a" });
        await create(storage, "ses_grandchild", { parentID: "ses_child", rootID: sessionID });
        assertEqual(await ids(storage, { parentID: null }), ["ses_2", sessionID], "The roots");
        assertEqual(await ids(storage, { parentID: sessionID }), ["ses_child"], "The children");
        assertEqual(await ids(storage, { directory: "/a" }), ["ses_child", sessionID], "The sessions of a directory");
        assertEqual(await ids(storage, { projectID: "one", directory: "/b" }), ["ses_2"], "The sessions of a project and directory");
        assertEqual(await ids(storage, { projectID: "two" }), [], "The sessions of an unknown project");
      },
    },
    {
      name: "comes in pages without repetition, also while sessions change",
      run: async ({ storage }) => {
        for (let index = 1; index <= 5; index += 1) await create(storage, `ses_${index}`);
        const first = await storage.listSessions({ limit: 2 });
        assertEqual(
          first.items.map(({ id }) => id),
          ["ses_5", "ses_4"],
          "The first page",
        );
        await commitUnleased(storage, { type: "prompt.admit", message: promptRow("msg_1"), parts: [] });
        const second = await storage.listSessions({ limit: 2, cursor: first.cursor });
        assertEqual(second, { items: [sessionRow("ses_3", { seq: 1 }), sessionRow("ses_2", { seq: 1 })] }, "The last page");
      },
    },
    {
      name: "has pages of 100 by default, and refuses limits and cursors that are none",
      run: async ({ storage }) => {
        for (let index = 0; index < 101; index += 1) await create(storage, `ses_${index}`);
        const page = await storage.listSessions();
        assertEqual([page.items.length, page.cursor === undefined], [100, false], "The length of a page and whether it is the last");
        assertEqual(await ids(storage, { cursor: page.cursor }), ["ses_0"], "The last page");
        for (const limit of [0, -1, 1.5]) await assertRejects(storage.listSessions({ limit }), "invalid-argument", `limit: ${limit}`);
        await assertRejects(storage.listSessions({ cursor: "no cursor" }), "invalid-argument", "A cursor of another store");
      },
    },
    {
      name: "of an unknown session gives nothing",
      run: async ({ storage }) => {
        assertEqual(await storage.getSession(sessionID), undefined, "The session");
        assertEqual(await storage.listSessions(), { items: [] }, "The sessions");
        assertEqual(await storage.listAsks({ rootID: sessionID }), [], "The asks");
      },
    },
    {
      name: "gives asks by tree and status, in order of creation within a session",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const other = await ownNewSession(storage, "ses_2");
        await create(storage, "ses_child", { parentID: sessionID, rootID: sessionID });
        await owner.write({ type: "ask.put", ask: askRow("ask_b") }, { type: "ask.put", ask: askRow("ask_a", { status: "closed" }) });
        await storage.commit({
          sessionID: "ses_child",
          lease: owner.lease,
          operations: [{ type: "ask.put", ask: askRow("ask_child", { sessionID: "ses_child" }) }],
        });
        await other.write({ type: "ask.put", ask: askRow("ask_2", { sessionID: "ses_2", rootID: "ses_2" }) });
        const askIDs = async (query?: Parameters<Storage["listAsks"]>[0]) => (await storage.listAsks(query)).map(({ id }) => id);
        assertEqual((await askIDs()).toSorted(), ["ask_2", "ask_a", "ask_b", "ask_child"], "All asks, sorted");
        assertEqual(
          (await askIDs({ rootID: sessionID })).filter((id) => id !== "ask_child"),
          ["ask_b", "ask_a"],
          "The asks of a session, in order",
        );
        assertEqual(
          (await askIDs({ rootID: sessionID, status: "open" })).toSorted(),
          ["ask_b", "ask_child"],
          "The open asks of a tree, sorted",
        );
        assertEqual(await askIDs({ status: "closed" }), ["ask_a"], "The closed asks");
      },
    },
    {
      name: "pages on while sessions come, change and go: none twice, none that stayed is missed",
      run: async ({ storage }) => {
        for (let index = 1; index <= 8; index += 1) await create(storage, `ses_${index}`, { directory: "/a" });
        const remove = async (id: string) => {
          const lease = present(await storage.acquireLease(id, "own_1", 60_000), "The lease");
          await storage.commit({ sessionID: id, lease, operations: [{ type: "session.delete" }] });
        };
        const meanwhile = [() => create(storage, "ses_9", { directory: "/a" }), () => remove("ses_5"), () => remove("ses_2")];
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await storage.listSessions({ limit: 2, cursor, directory: "/a" });
          seen.push(...page.items.map(({ id }) => id));
          cursor = page.cursor;
          await meanwhile.shift()?.();
        } while (cursor !== undefined);
        assertEqual(seen, ["ses_8", "ses_7", "ses_6", "ses_5", "ses_4", "ses_3", "ses_1"], "The sessions");
      },
    },
    {
      name: "filters by what the rows say now, and pages within the filter",
      run: async ({ storage }) => {
        for (let index = 1; index <= 6; index += 1) await create(storage, `ses_${index}`, { directory: index % 2 === 0 ? "/even" : "/odd" });
        const lease = present(await storage.acquireLease("ses_5", "own_1", 60_000), "The lease");
        await storage.commit({ sessionID: "ses_5", lease, operations: [{ type: "session.put", session: sessionRow("ses_5", { directory: "/even" }) }] });
        assertEqual(await ids(storage, { directory: "/odd" }), ["ses_3", "ses_1"], "The sessions of the old directory");
        const first = await storage.listSessions({ directory: "/even", limit: 3 });
        assertEqual(first.items.map(({ id }) => id), ["ses_5", "ses_6", "ses_4"], "The first page of the new directory");
        assertEqual(await ids(storage, { directory: "/even", limit: 3, cursor: first.cursor }), ["ses_2"], "The last page");
        assertEqual(await ids(storage, { directory: "" }), [], "The sessions of the empty directory");
      },
    },
    {
      name: "keeps asks in their place when they are put again, and shows those that are replied",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        for (const id of ["ask_c", "ask_a", "ask_b"]) await owner.write({ type: "ask.put", ask: askRow(id) });
        await owner.write({ type: "ask.put", ask: askRow("ask_c", { title: "again" }) });
        await commitUnleased(storage, { type: "ask.reply", askID: "ask_a", reply: { decision: "once" }, time: 2 });
        const asks = (await storage.listAsks({ rootID: sessionID })).map(({ id, title, status }) => [id, title, status]);
        assertEqual(asks, [["ask_c", "again", "open"], ["ask_a", "Run ls", "replied"], ["ask_b", "Run ls", "open"]], "The asks");
        assertEqual((await storage.listAsks({ status: "replied" })).map(({ id }) => id), ["ask_a"], "The replied asks");
        assertEqual(await storage.listAsks({ rootID: "ses_2" }), [], "The asks of another tree");
      },
    },
  ],
};
