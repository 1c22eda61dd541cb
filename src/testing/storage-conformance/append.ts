import { assertConflict, assertEqual } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import type { Owner } from "./owner.ts";
import { ownNewSession } from "./owner.ts";
import type { Storage } from "../../storage/storage.ts";
import { assistantRow, sessionID, textPart, toolPart } from "./rows.ts";

/** A session with one text part, and the way to append to it. */
async function ownText(
  storage: Storage,
  text: string,
): Promise<Owner & { append(offset: number, text: string, partID?: string): Promise<number> }> {
  const owner = await ownNewSession(storage);
  await owner.write(
    { type: "message.put", message: assistantRow("msg_1", 1) },
    { type: "part.put", part: textPart("msg_1", "prt_1", text) },
  );
  return {
    ...owner,
    append: (offset, addition, partID = "prt_1") =>
      owner.write({ type: "part.append", messageID: "msg_1", partID, field: "text", offset, text: addition }),
  };
}

async function readText(storage: Storage): Promise<string | undefined> {
  const part = (await storage.listMessages(sessionID)).items[0]?.parts[0];
  return part?.type === "text" ? part.text : undefined;
}

export const appendTopic: ConformanceTopic = {
  name: "append",
  cases: [
    {
      name: "lets a text grow, several times in a batch and over batches",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "");
        await owner.append(0, "Hel");
        const append = { type: "part.append" as const, messageID: "msg_1", partID: "prt_1", field: "text" as const };
        await owner.write({ ...append, offset: 3, text: "lo" }, { ...append, offset: 5, text: " you" });
        assertEqual(await readText(storage), "Hello you", "The text");
      },
    },
    {
      name: "replaces what is there from the offset on",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "Hello world");
        await owner.append(6, "you");
        assertEqual(await readText(storage), "Hello you", "The text");
        await owner.append(0, "");
        assertEqual(await readText(storage), "", "The text, cut at the start");
      },
    },
    {
      name: "counts offsets in UTF-16 code units, also within a character",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "é😀");
        await owner.append(3, "中");
        assertEqual(await readText(storage), "é😀中", "The text");
        await owner.append(3, "😀".slice(0, 1));
        await owner.append(4, "😀".slice(1));
        assertEqual(await readText(storage), "é😀😀", "A character that came in two halves");
      },
    },
    {
      name: "keeps the rest of the row",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "");
        const part = { ...textPart("msg_1", "prt_1", "a"), metadata: { test: { signature: "x" } }, time: { start: 1 } };
        await owner.write({ type: "part.put", part });
        await owner.append(1, "b");
        assertEqual((await storage.listMessages(sessionID)).items[0]?.parts, [{ ...part, text: "ab" }], "The parts");
      },
    },
    {
      name: "refuses an offset behind the end, a missing part and a part without text",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "abc");
        await owner.write({ type: "part.put", part: toolPart("msg_1", "prt_tool") });
        await assertConflict(owner.append(4, "e"), textPart("msg_1", "prt_1", "abc"), "a gap in the text");
        await assertConflict(owner.append(0, "a", "prt_9"), undefined, "a missing part");
        await assertConflict(owner.append(0, "a", "prt_tool"), toolPart("msg_1", "prt_tool"), "a tool part");
        assertEqual(await readText(storage), "abc", "The text");
      },
    },
    {
      name: "keeps a long text whole that came in small pieces",
      run: async ({ storage }) => {
        const owner = await ownText(storage, "");
        let text = "";
        for (let index = 0; index < 200; index += 1) {
          const piece = `piece ${index}; `;
          await owner.append(text.length, piece);
          text += piece;
        }
        assertEqual(await readText(storage), text, "The text");
      },
    },
  ],
};
