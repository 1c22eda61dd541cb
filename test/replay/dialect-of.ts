import { anthropic } from "./dialect-anthropic.ts";
import { chat, mistral } from "./dialect-chat.ts";
import { google } from "./dialect-google.ts";
import { responses } from "./dialect-responses.ts";
import type { Dialect } from "./dialect.ts";
import type { Recording } from "./recordings.ts";

const dialects: Record<Recording["dialect"], Dialect> = { anthropic, responses, chat, google };

export function dialectOf({ provider, dialect }: Recording): Dialect {
  return provider === "mistral" ? mistral : dialects[dialect];
}
