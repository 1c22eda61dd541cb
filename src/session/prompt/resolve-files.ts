import { InvalidArgumentError } from "../../errors.ts";
import type { FilePart } from "../../message/file-part.ts";
import type { Part, TextPart } from "../../message/part.ts";
import { checkOptions, anyText, text } from "../../util/check-options.ts";
import { errorMessage } from "../../util/error-message.ts";
import { wellFormed } from "../../util/well-formed.ts";
import { withDeadline } from "../../util/with-deadline.ts";
import type { AgentContext } from "../agent-context.ts";
import type { ResolvedFile } from "./resolve-file.ts";

/** Under this key of a part's metadata stands what became of a `file:` part. */
const ours = "throughline";

export function isLocalFile(part: Part): part is FilePart {
  return part.type === "file" && /^file:/i.test(part.url) && part.metadata?.[ours] === undefined;
}

/**
 * Puts the contents of files in the place of their `file:` parts. A part that becomes text stays beside it, for people: it is
 * not sent.
 *
 * @throws {InvalidArgumentError} a file could not be read
 */
export async function resolveFiles(parts: readonly Part[], { resolveFile, timeouts, clock, ids }: AgentContext, session: { sessionID: string; directory?: string | undefined }): Promise<Part[]> {
  if (resolveFile === undefined) return [...parts];
  const resolve = async (part: Part, index: number): Promise<Part[]> => {
    if (!isLocalFile(part)) return [part];
    const { url, mime, filename } = part;
    const argument = `prompt.input[${index}].url`;
    try {
      const reading = async (): Promise<ResolvedFile | readonly ResolvedFile[]> => resolveFile({ url, mime, filename }, session);
      const given = await withDeadline(reading(), clock, timeouts.hookMs, () => new Error(`resolveFile did not answer within ${timeouts.hookMs} ms.`));
      return toParts(part, isList(given) ? given : [given], ids);
    } catch (error) {
      throw new InvalidArgumentError(argument, `${url} cannot be read: ${errorMessage(error)}`);
    }
  };
  return (await Promise.all(parts.map(resolve))).flat();
}

function isList(given: ResolvedFile | readonly ResolvedFile[]): given is readonly ResolvedFile[] {
  return Array.isArray(given);
}

function toParts(part: FilePart, resolved: readonly ResolvedFile[], ids: AgentContext["ids"]): Part[] {
  const { sessionID, messageID, url, mime } = part;
  const given = { given: { url, mime } };
  const texts: TextPart[] = [];
  const media: FilePart[] = [];
  for (const item of resolved) {
    // The host's function may be written without types.
    if (item.type === "text") {
      checkOptions("resolveFile", item, { type: anyText, text: anyText }, ["text"]);
      texts.push({ id: ids("prt"), sessionID, messageID, type: "text", text: wellFormed(item.text), synthetic: true, metadata: { [ours]: { of: url } } });
    } else {
      checkOptions("resolveFile", item, { type: anyText, mime: text, url: text, filename: anyText }, ["mime", "url"]);
      if (!/^(data:|https?:)/i.test(item.url)) throw new InvalidArgumentError("resolveFile", "the URL of a file must be a data: or http(s): URL.");
      const filename = item.filename ?? part.filename;
      const isFirst = media.length === 0;
      media.push({ ...part, id: isFirst ? part.id : ids("prt"), mime: item.mime, url: item.url, ...(filename !== undefined && { filename }), metadata: { [ours]: isFirst ? given : { of: url } } });
    }
  }
  // `text/plain` is what the projection takes as given by the text beside it.
  const anchor: FilePart[] = media.length > 0 ? [] : [{ ...part, mime: "text/plain", metadata: { [ours]: given } }];
  return [...anchor, ...texts, ...media];
}

/** The parts as the caller gave them: of files that were resolved since, only what names them. */
export function givenParts(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.type !== "text" && part.type !== "file") return [part];
    const { of, given } = part.metadata?.[ours] ?? {};
    if (of !== undefined) return [];
    if (part.type === "text" || typeof given !== "object" || given === null || Array.isArray(given)) return [part];
    const { metadata: _metadata, ...file } = part;
    const { url, mime } = given;
    return [{ ...file, url: typeof url === "string" ? url : file.url, mime: typeof mime === "string" ? mime : file.mime }];
  });
}
