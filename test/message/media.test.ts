import { describe, expect, it } from "vitest";
import type { ModelProfile } from "../../src/message/model-profile.ts";
import { modelProfiles } from "../../src/message/model-profiles.ts";
import type { ModelMessage } from "../../src/message/model-prompt.ts";
import { createProjection } from "../../src/message/projection.ts";
import { toModelMessages } from "../../src/message/to-model-messages.ts";
import { validateModelMessages } from "../../src/message/validate-model-messages.ts";
import { assistant, attachment, completed, file, jpeg, model, pdf, png, text, tool, user } from "./projection-samples.ts";

const { anthropic, openaiChat, google, bedrock } = modelProfiles;
const hi = user([text("hi")]);

function limited(profile: ModelProfile, limits: Partial<ModelProfile["mediaLimits"]>): ModelProfile {
  return { ...profile, mediaLimits: { ...profile.mediaLimits, ...limits } };
}

/** Whether each medium of the request is sent or described, in order. */
function shownIn(messages: readonly ModelMessage[]): string[] {
  return [...JSON.stringify(messages).matchAll(/"data":"|no longer shown/g)].map(([found]) => (found.startsWith("no") ? "described" : "sent"));
}

const screenshot = (index: number) =>
  assistant([tool(`call_${index}`, completed(`shot ${index}`, { attachments: [attachment("image/png", png, `${index}.png`)] }))], { id: `msg_${index}` });
const screenshots = (count: number) => [hi, ...Array.from({ length: count }, (_, index) => screenshot(index))];

describe("the content of a medium", () => {
  it.each([
    ["image/jpeg", png, "image/png"],
    ["image/png", jpeg, "image/jpeg"],
    ["application/octet-stream", "data:;base64,R0lGODlhAQABAAAAACw=", "image/gif"],
    ["image/png", "data:image/png;base64,UklGRiQAAABXRUJQVlA4IBgAAAA=", "image/webp"],
    ["", pdf, "application/pdf"],
  ])("corrects the wrong type %j", (mime, url, mediaType) => {
    const messages = toModelMessages([user([file(mime, url)])], anthropic);
    expect(messages[0]?.content).toMatchObject([{ type: "file", mediaType }]);
    expect(validateModelMessages(messages, anthropic)).toEqual([]);
  });

  it.each([
    ["is empty", "image/png", "data:image/png;base64,"],
    ["is no image", "image/png", `data:image/png;base64,${btoa("<html>Not found</html>")}`],
    ["is no base64", "image/png", "data:image/png;base64,iVBORw0KGgo=%%%"],
    ["is cut in the middle of a character", "image/png", "data:image/png;base64,iVBORw0KG"],
    ["is no PDF", "application/pdf", "data:application/pdf;base64,AA=="],
  ])("that %s is described, wherever it stands", (_what, mime, url) => {
    const data = url.slice(url.indexOf(",") + 1);
    const prepared = completed("", { modelOutput: { type: "content", value: [{ type: "file", mediaType: mime, data: { type: "data", data } }] } });
    const history = [
      user([file(mime, url, { filename: "a" })]),
      assistant([tool("call_a", completed("ok", { attachments: [attachment(mime, url)] })), tool("call_b", prepared)]),
    ];
    const messages = toModelMessages(history, model);
    expect(JSON.stringify(messages)).not.toContain('"file"');
    expect(messages[0]?.content).toEqual([{ type: "text", text: `[${mime} "a": attached by the user, cannot be shown to this model]` }]);
    expect(validateModelMessages(messages, anthropic)).toEqual([]);
  });

  it("is brought into the form of base64 that all providers take", () => {
    const odd = ["iVBORw0K\nGgo=", "iVBORw0KGgo", " iVBORw0KGgo= "];
    for (const data of odd) {
      expect(toModelMessages([user([file("image/png", `data:image/png;base64,${data}`)])], anthropic)[0]?.content).toMatchObject([{ data: { data: "iVBORw0KGgo=" } }]);
    }
    expect(toModelMessages([user([file("image/jpeg", "data:image/jpeg;base64,_9j_4A==")])], anthropic)[0]?.content).toMatchObject([{ data: { data: "/9j/4A==" } }]);
  });

  it("of other kinds is sent as declared", () => {
    expect(toModelMessages([user([file("audio/wav", "data:audio/wav;base64,AA==")])], google)[0]?.content).toMatchObject([{ type: "file", mediaType: "audio/wav" }]);
  });
});

describe("the limits of media", () => {
  it("R60, anomalyco/opencode#47487: the 51st image of 50 makes room, the oldest half at once", () => {
    const profile = limited(anthropic, { count: 50 });
    expect(shownIn(toModelMessages(screenshots(50), profile))).toEqual(Array(50).fill("sent"));
    const messages = toModelMessages(screenshots(51), profile);
    expect(shownIn(messages)).toEqual([...Array<string>(26).fill("described"), ...Array<string>(25).fill("sent")]);
    expect(JSON.stringify(messages)).toContain('[image/png \\"0.png\\": no longer shown, to make room for newer media]');
    expect(validateModelMessages(messages, profile)).toEqual([]);
  });

  it("R31, openai/codex#41338: media that are small in tokens but large in bytes stay within the budget of bytes", () => {
    const megabyte = `data:image/png;base64,iVBORw0KGgo${"A".repeat(1_400_000 - 11)}`;
    const profile = limited(anthropic, { totalCharacters: 5_000_000 });
    const history = Array.from({ length: 6 }, (_, index) => user([text(`look at ${index}`), file("image/png", megabyte)], { id: `msg_${index}` }));
    for (let length = 1; length <= history.length; length += 1) {
      const messages = toModelMessages(history.slice(0, length), profile);
      expect(JSON.stringify(messages).length).toBeLessThan(5_100_000);
      expect(validateModelMessages(messages, profile)).toEqual([]);
      expect(shownIn(messages).at(-1)).toBe("sent");
    }
  });

  it("hold for one medium: what is too large is described, and moves nowhere", () => {
    const profile = limited(openaiChat, { imageBytes: 7 });
    const messages = toModelMessages([user([file("image/png", png)]), screenshot(1)], profile);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(JSON.stringify(messages)).not.toContain("iVBORw0KGgo=");
  });

  it("count documents apart", () => {
    const history = Array.from({ length: 6 }, (_, index) => user([text("read"), file("application/pdf", pdf)], { id: `msg_${index}` }));
    const messages = toModelMessages(history, bedrock);
    expect(shownIn(messages)).toEqual(["described", "described", "described", "described", "sent", "sent"]);
  });

  it("keep the newest medium although it is more than half of what fits", () => {
    const profile = limited(anthropic, { count: 1 });
    expect(shownIn(toModelMessages(screenshots(4), profile))).toEqual(["described", "described", "described", "sent"]);
    expect(shownIn(toModelMessages(screenshots(4), limited(anthropic, { count: 0 })))).toEqual(Array(4).fill("described"));
  });

  it("let the messages before alone for a while: they change only when there are too many again, and nothing comes back", () => {
    const projection = createProjection(limited(anthropic, { count: 10 }));
    const changes: number[] = [];
    let before: string[] = [];
    for (const message of screenshots(40)) {
      const revision = projection.revision();
      projection.add(message);
      const now = projection.messages.map((each) => JSON.stringify(each));
      if (projection.revision() === revision) expect(now.slice(0, before.length)).toEqual(before);
      else changes.push(projection.messages.length);
      before = now;
    }
    expect(changes).toHaveLength(5);
    expect(shownIn(projection.request())).toEqual([...Array<string>(30).fill("described"), ...Array<string>(10).fill("sent")]);
  });

  it("change no request that was handed out", () => {
    const projection = createProjection(limited(anthropic, { count: 2 }));
    for (const message of screenshots(2)) projection.add(message);
    const request = projection.request();
    const text = JSON.stringify(request);
    projection.add(screenshot(3));
    expect(JSON.stringify(request)).toBe(text);
    expect(JSON.stringify(projection.request())).not.toContain(text);
  });

  it("hold for media that the model made, those of its reasoning too", () => {
    const profile = limited(google, { count: 2 });
    const origin = { providerID: "google.generative-ai", modelID: "gemini" };
    const drawn = (id: string) => assistant([file("image/png", png, { reasoning: true }), file("image/png", png, { filename: `${id}.png` }), text("Look.")], { ...origin, id });
    const messages = toModelMessages([hi, drawn("msg_1"), drawn("msg_2")], profile, { model: origin });
    const kinds = messages.map(({ content }) => content.map(({ type }) => type));
    expect(kinds).toEqual([["text"], ["text", "text"], ["text"], ["file", "text"], ["text"]]);
    expect(validateModelMessages(messages, profile)).toEqual([]);
  });
});

describe("a wire's ways with text", () => {
  it("gives a document of the user a text where it needs one", () => {
    expect(toModelMessages([user([file("application/pdf", pdf)])], bedrock)[0]?.content).toMatchObject([{ type: "text" }, { type: "file" }]);
    expect(toModelMessages([user([file("image/png", png)])], bedrock)[0]?.content).toMatchObject([{ type: "file" }]);
  });

  it("parts texts by blank lines where they are joined", () => {
    const { deepseek } = modelProfiles;
    const history = [hi, user([text("and"), text("more")], { id: "msg_2" }), assistant([text("a"), tool("call_a", completed("A")), text("b")])];
    const messages = toModelMessages(history, deepseek);
    expect(messages[0]?.content.map((part) => (part.type === "text" ? part.text : ""))).toEqual(["hi", "\n\nand", "\n\nmore"]);
    expect(messages[1]?.content).toMatchObject([{ text: "a" }, { text: "\n\nb" }, { type: "tool-call" }]);
  });

  it("keeps text between calls where a message need not end with them", () => {
    const step = assistant([tool("call_a", completed("A")), text("meanwhile"), tool("call_b", completed("B")), text("after")]);
    const [, said] = toModelMessages([hi, step], modelProfiles.openaiResponses);
    expect(said?.content).toMatchObject([{ toolCallId: "call_a" }, { text: "meanwhile" }, { toolCallId: "call_b" }, { text: "after" }]);
  });
});
