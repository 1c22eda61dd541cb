import type { WireNameRule } from "./model-profile.ts";
import { wellFormed } from "./well-formed.ts";

/** Hands out the call ids of one request: legal, unique, and the same ones each time the same history is projected. */
export interface CallIDs {
  /** The id itself when it is legal and new, else a hash of where it stands. */
  assign(messageID: string, callID: string): string;
  /** Takes the id as it is. False when it is illegal or taken: a provider's own calls cannot be renamed. */
  reserve(callID: string): boolean;
}

/** Long enough that a collision is out of the question, short enough for every wire that has no fixed length. */
const preferredLength = 24;

export function createCallIDs(rule: WireNameRule): CallIDs {
  const taken = new Set<string>();
  const isLegal = legalNames(rule);
  const length = Math.min(Math.max(preferredLength, rule.minLength), rule.maxLength);

  const reserve = (callID: string): boolean => {
    if (!isLegal(callID) || taken.has(callID)) return false;
    taken.add(callID);
    return true;
  };

  return {
    reserve,
    assign(messageID, callID) {
      if (reserve(callID)) return callID;
      // Providers restart their counters, even within a message: the occurrence tells repeated ids apart. Cutting a long
      // id instead would make two of them equal.
      for (let occurrence = 0; ; occurrence += 1) {
        const id = hashName(rule.alphabet, length, `${messageID}\n${callID}\n${occurrence}`);
        if (reserve(id)) return id;
      }
    },
  };
}

/** Tells whether the wire takes a name. A history has thousands of them: the characters are not looked at one by one. */
function legalNames({ alphabet, minLength, maxLength }: WireNameRule): (name: string) => boolean {
  const characters = Array.from(alphabet, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? "0"}}`).join("");
  const legal = new RegExp(`^[${characters}]*$`, "u");
  return (name) => name.length >= minLength && name.length <= maxLength && legal.test(name);
}

/** Tools' names as one wire takes them. */
export type ToolNames = (tool: unknown) => string;

/** Names with illegal characters replaced: models invent names, and old tools may be gone. */
export function createToolNames(rule: WireNameRule): ToolNames {
  const isLegal = legalNames(rule);
  return (tool) => {
    const name = wellFormed(tool);
    if (isLegal(name)) return name;
    const legal = Array.from(name, (character) => (rule.alphabet.includes(character) ? character : "_"));
    return legal.slice(0, rule.maxLength).join("") || "unknown_tool";
  };
}

/** A name made of the alphabet's characters, the same for the same text on every machine. */
function hashName(alphabet: string, length: number, text: string): string {
  let name = "";
  for (let index = 0; index < length; index += 1) {
    name += alphabet.charAt(hash(index, text) % alphabet.length);
  }
  return name;
}

/** FNV-1a over UTF-16 code units, with a final mix: without it the low bits depend on the low bits of the text alone. */
function hash(seed: number, text: string): number {
  let value = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
