import { describe, expect, it } from "vitest";
import type { Session } from "throughline";
import { reply } from "throughline/testing";
import { sharedStore } from "../recovery/crash.ts";
import { expectDone, start } from "../session-under-test.ts";
import { askAll, nextAsk, openAsk } from "./asked.ts";

/** A provider's own tool that wants leave before the provider runs it. */
const wantsLeave = [
  ...[reply.toolCall("web_search", { query: "x" }, { id: "search_1", providerExecuted: true })].flat(),
  ...[reply.chunks([{ type: "tool-approval-request", approvalId: "apr_1", toolCallId: "search_1" }])].flat(),
];

/** What the provider is answered, as its request shows it where the provider has a place for it. */
async function approvalOf(session: Session): Promise<unknown> {
  const [part] = (await session.messages()).flatMap(({ parts }) => parts.filter((candidate) => candidate.type === "tool"));
  return part?.approval;
}

describe("a provider's request for leave", () => {
  it.each([
    [{ decision: "once" } as const, true],
    [{ decision: "reject", message: "Not the web." } as const, false],
  ])("is answered by the person who is asked: %o", async (answer, approved) => {
    const test = await start([wantsLeave, reply.text("Done.")], { permissions: askAll });
    const turn = test.session.prompt("Hi");
    const ask = await nextAsk(test.session);
    expect(ask).toMatchObject({ tool: "web_search", input: { query: "x" }, always: ["*"], title: "web_search" });
    await test.session.reply(ask.id, answer);
    expect(await turn).toMatchObject({ outcome: "answered" });
    expect(await approvalOf(test.session)).toMatchObject({ id: "apr_1", approved });
    expectDone(test);
  });

  it("waits over a restart", async () => {
    const store = sharedStore();
    const dead = await store.start([wantsLeave], { permissions: askAll, asks: { mode: "release" } });
    expect(await dead.session.prompt("Hi")).toMatchObject({ outcome: "waiting" });
    await store.crash();
    const next = await store.start([reply.text("Done.")], { permissions: askAll, asks: { mode: "release" } });
    await next.session.reply((await openAsk(next.session)).id, { decision: "once" });
    expect(await next.session.resume()).toMatchObject({ outcome: "answered" });
    expect(await approvalOf(next.session)).toMatchObject({ id: "apr_1", approved: true });
    expect(next.model.violations).toEqual([]);
  });
});
