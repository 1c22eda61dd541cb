import type { JSONObject } from "../../message/json.ts";
import type { Part } from "../../message/part.ts";
import type { Operation, Storage } from "../../storage/storage.ts";
import { assertEqual, present } from "./assert.ts";
import type { ConformanceCase, ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readTranscript } from "./read-everything.ts";
import { artifactRow, askRow, assistantRow, promptRow, sessionID, sessionRow, textPart, toolPart } from "./rows.ts";

const texts: readonly [name: string, text: string][] = [
  ["an empty text", ""],
  ["blanks and line ends", " \t\r\n\n\r \u00a0\u2028\u2029"],
  ["quotes, backslashes and braces", `"'\`\\\\n{}[]$1 %s ?; -- /* */`],
  ["accents, composed and decomposed", "é e\u0301 Å A\u030a"],
  ["characters beyond the basic plane", "😀👩‍👩‍👧🇫🇷𝔘"],
  ["right-to-left marks and a byte order mark", "\ufeff\u202eabc\u200f"],
  ["NUL and other control characters", "a\u0000b\u0001\u001f\u007f\u0080\uffff"],
  ["lone surrogates", "a\ud800b\udc00c\udfff\ud83d"],
  ["what looks like an escape", "\\u0000 \\ud800 \\x00 %00 &#0;"],
];

/** One text in every place that can hold one. */
async function writeEverywhere(storage: Storage, text: string): Promise<void> {
  const owner = await ownNewSession(storage);
  await owner.write(...everywhere(text));
  await commitUnleased(storage, { type: "ask.reply", askID: "ask_1", reply: { decision: "reject", message: text }, time: 2 });
}

function everywhere(text: string): Operation[] {
  return [
    { type: "session.put", session: sessionRow(sessionID, { title: text, directory: text, projectID: text, metadata: { text, [`key ${text}`]: [text] } }) },
    { type: "message.put", message: assistantRow("msg_1", 1, { agent: text, modelID: text }) },
    ...partsWith(text).map((part): Operation => ({ type: "part.put", part })),
    { type: "prompt.admit", message: promptRow("msg_q", { agent: text }), parts: [textPart("msg_q", "prt_q", text)] },
    { type: "ask.put", ask: askRow("ask_1", { title: text, patterns: [text], input: { text } }) },
    { type: "artifact.put", artifact: artifactRow("art_1", text, { mime: text }) },
  ];
}

function partsWith(text: string): Part[] {
  const running = { status: "running" as const, input: { text, nested: { [`key ${text}`]: text } }, time: { start: 1 } };
  return [textPart("msg_1", "prt_1", text), { ...toolPart("msg_1", "prt_2"), state: running }];
}

function roundTrip([name, text]: readonly [name: string, text: string]): ConformanceCase {
  return {
    name: `gives back in every place: ${name}`,
    run: async ({ storage }) => {
      await writeEverywhere(storage, text);
      const session = sessionRow(sessionID, { title: text, directory: text, projectID: text, metadata: { text, [`key ${text}`]: [text] }, seq: 3 });
      assertEqual(await storage.getSession(sessionID), session, "The session");
      assertEqual(await readTranscript(storage), [{ info: assistantRow("msg_1", 1, { agent: text, modelID: text }), parts: partsWith(text) }], "The transcript");
      const { queued, asks } = await storage.inbox(sessionID);
      assertEqual(queued, [{ info: promptRow("msg_q", { agent: text }), parts: [textPart("msg_q", "prt_q", text)] }], "The queue");
      const reply = { decision: "reject" as const, message: text };
      const replied = askRow("ask_1", { title: text, patterns: [text], input: { text }, status: "replied", reply, time: { created: 1, replied: 2 } });
      assertEqual([asks, await storage.listAsks()], [[replied], [replied]], "The asks");
      assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", text, { mime: text }), "The artifact");
      assertEqual((await storage.listSessions({ directory: text, projectID: text })).items, [session], "The sessions of that directory and project");
    },
  };
}

/** A key like `__proto__` can only come in through JSON. */
const oddObject = (): JSONObject =>
  JSON.parse(
    `{"z":1,"a":{"y":[{"b":2,"a":1},[],{}],"x":null},"":"empty key","m.n":true,"$ref":"#","__proto__":{"polluted":true},"constructor":0,"toString":"text"}`,
  ) as JSONObject; // Parsed from the object above.

export const fidelityTopic: ConformanceTopic = {
  name: "fidelity",
  cases: [
    ...texts.map(roundTrip),
    {
      name: "keeps the order of keys, nested values and keys that mean something to JavaScript",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const tool = { ...toolPart("msg_1", "prt_1"), state: { status: "running" as const, input: oddObject(), time: { start: 1 } } };
        await owner.write(
          { type: "session.put", session: sessionRow(sessionID, { metadata: oddObject() }) },
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: tool },
          { type: "ask.put", ask: askRow("ask_1", { input: oddObject() }) },
        );
        const expected = JSON.stringify(oddObject());
        const part = present((await storage.listMessages(sessionID)).items[0]?.parts[0], "The part");
        assertEqual(JSON.stringify((await storage.getSession(sessionID))?.metadata), expected, "The session's metadata as JSON");
        assertEqual(JSON.stringify(part.type === "tool" && part.state.input), expected, "The tool's input as JSON");
        assertEqual(JSON.stringify((await storage.listAsks())[0]?.input), expected, "The ask's input as JSON");
      },
    },
    {
      name: "keeps numbers to the last bit",
      run: async ({ storage }) => {
        const numbers = [0, -1, 0.1 + 0.2, 1e-7, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1_700_000_000_000.5];
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "session.put", session: sessionRow(sessionID, { metadata: { numbers } }) },
          { type: "message.put", message: assistantRow("msg_1", Number.MAX_SAFE_INTEGER, { cost: 0.1 + 0.2, time: { created: 1_700_000_000_000.5 } }) },
        );
        assertEqual((await storage.getSession(sessionID))?.metadata, { numbers }, "The numbers");
        const expected = assistantRow("msg_1", Number.MAX_SAFE_INTEGER, { cost: 0.1 + 0.2, time: { created: 1_700_000_000_000.5 } });
        assertEqual(await readTranscript(storage), [{ info: expected, parts: [] }], "The transcript");
      },
    },
    {
      name: "does not give back fields that a later put left out",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1, { finish: "stop", structured: { a: 1 } }) },
          { type: "part.put", part: { ...textPart("msg_1", "prt_1", "a"), synthetic: true, metadata: { test: { signature: "x" } } } },
          { type: "ask.put", ask: askRow("ask_1", { impact: "high", expires: 9 }) },
          { type: "artifact.put", artifact: artifactRow("art_1", "text", { messageID: "msg_1" }) },
        );
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", "b") },
          { type: "ask.put", ask: askRow("ask_1") },
          { type: "artifact.put", artifact: artifactRow("art_1", "t") },
        );
        assertEqual(await readTranscript(storage), [{ info: assistantRow("msg_1", 1), parts: [textPart("msg_1", "prt_1", "b")] }], "The transcript");
        assertEqual(await storage.listAsks(), [askRow("ask_1")], "The asks");
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", "t"), "The artifact");
      },
    },
  ],
};
