import type { Operation } from "../../storage/storage.ts";
import { assertEqual } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readChanges, readTranscriptIDs } from "./read-everything.ts";
import { artifactRow, assistantRow, promptRow, sessionID, textPart } from "./rows.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export const volumeTopic: ConformanceTopic = {
  name: "volume",
  cases: [
    {
      name: "keeps a thousand parts of one message in order, also empty ones",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const parts = numbers(1_000).map((index) => textPart("msg_1", `prt_${999 - index}`, index % 3 === 0 ? "" : `text ${index}`));
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, ...parts.map((part): Operation => ({ type: "part.put", part })));
        assertEqual((await storage.listMessages(sessionID)).items[0]?.parts, parts, "The parts");
        assertEqual((await readChanges(storage, 1)).changes.length, 1_001, "The length of the feed");
      },
    },
    {
      name: "keeps texts of a million characters, cuts ranges out of them, and lets them grow",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const text = "0123456789é😀\n".repeat(75_000);
        await owner.write(
          { type: "message.put", message: assistantRow("msg_1", 1) },
          { type: "part.put", part: textPart("msg_1", "prt_1", text) },
          { type: "artifact.put", artifact: artifactRow("art_1", text) },
        );
        await owner.write(
          { type: "part.append", messageID: "msg_1", partID: "prt_1", field: "text", offset: text.length, text: "end" },
          { type: "artifact.append", artifactID: "art_1", offset: text.length, text: "end" },
        );
        const part = (await storage.listMessages(sessionID)).items[0]?.parts[0];
        assertEqual(part?.type === "text" && part.text === `${text}end`, true, "Whether the text is whole");
        const range = await storage.getArtifact(sessionID, "art_1", { offset: text.length - 3, limit: 5 });
        assertEqual([range?.text, range?.size], ["😀\nen", text.length + 3], "A range near the end, and the size");
      },
    },
    {
      name: "keeps an artifact whole that came in small pieces",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "") });
        let text = "";
        for (const index of numbers(100)) {
          const piece = `line ${index} 😀\n`;
          await owner.write({ type: "artifact.append", artifactID: "art_1", offset: text.length, text: piece });
          text += piece;
        }
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", text), "The artifact");
      },
    },
    {
      name: "keeps hundreds of queued prompts and of messages in order",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const ids = numbers(300).map((index) => `msg_${(index * 7) % 300}`);
        await commitUnleased(storage, ...ids.map((id): Operation => ({ type: "prompt.admit", message: promptRow(id), parts: [textPart(id, "prt_1", id)] })));
        assertEqual((await storage.inbox(sessionID)).queued.map(({ info }) => info.id), ids, "The queue");
        await owner.write(...ids.map((messageID, index): Operation => ({ type: "message.promote", messageID, position: 1_000 - index })));
        assertEqual(await readTranscriptIDs(storage), ids, "The transcript, newest first");
      },
    },
  ],
};
