import { assertConflict, assertEqual } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { ownNewSession } from "./owner.ts";
import { artifactRow, assistantRow, sessionID } from "./rows.ts";

export const artifactsTopic: ConformanceTopic = {
  name: "artifacts",
  cases: [
    {
      name: "come back whole, with the size that the store counted",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({
          type: "artifact.put",
          artifact: { ...artifactRow("art_1", "line\r\n😀\u0000"), messageID: "msg_1", size: 999 },
        });
        const expected = artifactRow("art_1", "line\r\n😀\u0000", { messageID: "msg_1", size: 9 });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), expected, "The artifact");
      },
    },
    {
      name: "come back in ranges of UTF-16 code units, with the size of the whole",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "é😀abc") });
        const range = async (offset?: number, limit?: number) => {
          const artifact = await storage.getArtifact(sessionID, "art_1", { offset, limit });
          return [artifact?.text, artifact?.size];
        };
        assertEqual(await range(3), ["abc", 6], "From an offset on");
        assertEqual(await range(undefined, 3), ["é😀", 6], "Up to a limit");
        assertEqual(await range(4, 1), ["b", 6], "A middle");
        assertEqual(await range(4, 100), ["bc", 6], "Past the end");
        assertEqual(await range(6), ["", 6], "At the end");
      },
    },
    {
      name: "grow by append, and are replaced from the offset on",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "") });
        await owner.write(
          { type: "artifact.append", artifactID: "art_1", offset: 0, text: "Hello" },
          { type: "artifact.append", artifactID: "art_1", offset: 5, text: " world" },
        );
        await owner.write({ type: "artifact.append", artifactID: "art_1", offset: 6, text: "you" });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", "Hello you"), "The artifact");
      },
    },
    {
      name: "refuse an append behind the end, or to nothing",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "abc") });
        const append = (artifactID: string, offset: number) => owner.write({ type: "artifact.append", artifactID, offset, text: "x" });
        await assertConflict(append("art_1", 4), artifactRow("art_1", "abc"), "a gap in the text");
        await assertConflict(append("art_9", 0), undefined, "a missing artifact");
      },
    },
    {
      name: "are gone when deleted, and unknown in other sessions",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await ownNewSession(storage, "ses_2");
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "abc") });
        assertEqual(await storage.getArtifact("ses_2", "art_1"), undefined, "The artifact in another session");
        assertEqual(await storage.getArtifact("ses_9", "art_1"), undefined, "The artifact in an unknown session");
        await owner.write({ type: "artifact.delete", artifactID: "art_1" });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), undefined, "The deleted artifact");
      },
    },
    {
      name: "come back in ranges that cut characters in two, are empty, or lie past the end",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "a😀\u0000b\ud800") });
        const range = async (offset?: number, limit?: number) => (await storage.getArtifact(sessionID, "art_1", { offset, limit }))?.text;
        assertEqual(await range(0, 2), "a\ud83d", "Up to the middle of a character");
        assertEqual(await range(2, 2), "\ude00\u0000", "From the middle of a character on");
        assertEqual(await range(4), "b\ud800", "A text that ends in half a character");
        assertEqual(await range(0, 0), "", "No length");
        assertEqual(await range(100, 5), "", "Past the end");
        const whole = [await range(0, 3), await range(3, 3)].join("");
        assertEqual(whole, "a😀\u0000b\ud800", "Two ranges, joined");
      },
    },
    {
      name: "outlive the message that they were made for",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const artifact = artifactRow("art_1", "text", { messageID: "msg_1" });
        await owner.write({ type: "message.put", message: assistantRow("msg_1", 1) }, { type: "artifact.put", artifact });
        await owner.write({ type: "message.delete", messageID: "msg_1" });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifact, "The artifact");
      },
    },
    {
      name: "do not come back with their old text when they were deleted and put again",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "a long old text") });
        await owner.write({ type: "artifact.append", artifactID: "art_1", offset: 15, text: " that grew" });
        await owner.write({ type: "artifact.delete", artifactID: "art_1" });
        await assertConflict(owner.write({ type: "artifact.append", artifactID: "art_1", offset: 0, text: "x" }), undefined, "an append to a deleted artifact");
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "new") });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", "new"), "The artifact");
        await owner.write({ type: "artifact.put", artifact: artifactRow("art_1", "n") });
        assertEqual(await storage.getArtifact(sessionID, "art_1"), artifactRow("art_1", "n"), "The artifact, put over a longer one");
      },
    },
  ],
};
