import type { Operation } from "../../storage/storage.ts";
import { assert, assertEqual } from "./assert.ts";
import type { ConformanceTopic } from "./conformance-case.ts";
import { commitUnleased, ownNewSession } from "./owner.ts";
import { readChanges, readTranscript } from "./read-everything.ts";
import { askRow, assistantRow, promptRow, sessionID, textPart } from "./rows.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const admit = (id: string): Operation => ({ type: "prompt.admit", message: promptRow(id), parts: [textPart(id, `prt_${id}`, id)] });

export const concurrencyTopic: ConformanceTopic = {
  name: "commits at the same time",
  cases: [
    {
      name: "of the owner and of others all count, each with a seq of its own",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const seqs = await Promise.all(
          numbers(20).map((index) => (index % 2 === 0 ? owner.write({ type: "message.put", message: assistantRow(`msg_${index}`, index) }) : commitUnleased(storage, admit(`msg_${index}`)))),
        );
        assertEqual(seqs.toSorted((a, b) => a - b), numbers(20).map((index) => index + 2), "The seqs, sorted");
        assertEqual([(await readTranscript(storage)).length, (await storage.inbox(sessionID)).queued.length], [10, 10], "The number of messages and of prompts");
      },
    },
    {
      name: "to two sessions do not count for each other",
      run: async ({ storage }) => {
        const owners = [await ownNewSession(storage), await ownNewSession(storage, "ses_2")];
        const message = (index: number, id: string) => ({ type: "message.put" as const, message: assistantRow(`msg_${index}`, index, { sessionID: id }) });
        await Promise.all(numbers(10).flatMap((index) => owners.map((owner) => owner.write(message(index, owner.lease.rootID)))));
        assertEqual([(await storage.getSession(sessionID))?.seq, (await storage.getSession("ses_2"))?.seq], [11, 11], "The seqs");
      },
    },
    {
      name: "are seen by a reader whole or not at all",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        const writes = numbers(10).map((index) =>
          owner.write({ type: "message.put", message: assistantRow(`msg_${index}`, index) }, { type: "part.put", part: textPart(`msg_${index}`, "prt_1", "text") }, { type: "ask.put", ask: askRow(`ask_${index}`) }),
        );
        const reads = numbers(10).map(async () => {
          const [messages, feed] = await Promise.all([readTranscript(storage, sessionID, 100), readChanges(storage, 1)]);
          assert(messages.every(({ parts }) => parts.length === 1), "A message was seen without the part of its batch.");
          assertEqual(feed.changes.length, (feed.seq - 1) * 3, `The number of changes up to seq ${feed.seq}`);
        });
        await Promise.all([...writes, ...reads]);
      },
    },
    {
      name: "that guard the same row let one through",
      run: async ({ storage }) => {
        const owner = await ownNewSession(storage);
        await commitUnleased(storage, admit("msg_1"));
        await owner.write({ type: "ask.put", ask: askRow("ask_1") });
        const prompt = [
          owner.write({ type: "message.promote", messageID: "msg_1", position: 1 }),
          commitUnleased(storage, { type: "prompt.cancel", messageID: "msg_1", time: 5 }),
        ];
        const replies = (["once", "always"] as const).map((decision) => commitUnleased(storage, { type: "ask.reply", askID: "ask_1", reply: { decision }, time: 5 }));
        const accepted = async (commits: Promise<number>[]) => (await Promise.allSettled(commits)).filter(({ status }) => status === "fulfilled").length;
        assertEqual(await Promise.all([accepted(prompt), accepted(replies)]), [1, 1], "The number of accepted commits: promotion or cancellation, and replies");
        assertEqual((await storage.getSession(sessionID))?.seq, 5, "The seq");
      },
    },
  ],
};
