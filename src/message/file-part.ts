import type { ProviderMetadata } from "./json.ts";

/** What every part has. */
export interface PartBase {
  id: string;
  sessionID: string;
  messageID: string;
}

/** A medium: an attachment of the user, or a file that the model made. */
export interface FilePart extends PartBase {
  type: "file";
  /** IANA media type, e.g. `image/png`. */
  mime: string;
  filename?: string | undefined;
  /** `data:` URL with base64 content, or an `http(s):` or `file:` URL. */
  url: string;
  /** Made by the model as part of its reasoning. */
  reasoning?: boolean | undefined;
  metadata?: ProviderMetadata | undefined;
}
