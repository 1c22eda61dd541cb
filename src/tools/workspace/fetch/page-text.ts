import { MissingPackageError } from "../../../errors.ts";
import { FetchRefusedError } from "./fetch-refused-error.ts";
import type { Page } from "./request-page.ts";

/** The forms in which a page can be had. */
export const pageFormats = ["markdown", "text", "html"] as const;
export type PageFormat = (typeof pageFormats)[number];

/** @throws {FetchRefusedError | MissingPackageError} it is no text; `turndown` is not installed */
export async function pageText({ body, mediaType, charset }: Page, format: PageFormat): Promise<string> {
  if (!isText(mediaType) || body.subarray(0, 4_096).includes(0)) throw new FetchRefusedError(`The page is ${mediaType === "" ? "binary" : `of type ${mediaType}`}, and no text. Fetch a page that can be read, or load it by a command if you may run one.`);
  const text = decoderFor(charset).decode(body);
  const isHTML = mediaType.includes("html") || (mediaType === "" && /^\s*<(!doctype html|html)/i.test(text));
  if (!isHTML || format === "html") return text;
  return format === "markdown" ? toMarkdown(text) : toText(text);
}

function isText(mediaType: string): boolean {
  return mediaType === "" || mediaType.startsWith("text/") || /[/+](json|xml|yaml|javascript|typescript|toml|xhtml|graphql|x-sh|x-ndjson)\b/.test(mediaType);
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

async function toMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await import("turndown").catch((cause: unknown) => {
    throw new MissingPackageError("turndown", "Fetching a page as Markdown", cause);
  });
  const converter = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  converter.remove(["script", "style", "noscript", "template", "title", "meta", "link", "iframe"]);
  return converter.turndown(html);
}

const entities: ReadonlyMap<string, string> = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"], ["nbsp", " "]]);

/** What is there to be read, a line for each block. */
function toText(html: string): string {
  return html
    .replace(/<!--[^]*?(-->|$)/g, "")
    .replace(/<(script|style|noscript|template|head)\b[^]*?(<\/\1\s*>|$)/gi, "")
    .replace(/<(br|\/?(p|div|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|pre|blockquote|main|nav))\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(\w+);|&#(x?)([\da-f]+);/gi, (whole, name: string | undefined, hex: string, code: string) => (name === undefined ? characterOf(parseInt(code, hex === "" ? 10 : 16), whole) : (entities.get(name.toLowerCase()) ?? whole)))
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}

function characterOf(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : otherwise;
}
