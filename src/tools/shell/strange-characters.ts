/** A character that no person sees as what the shell takes it for, and how it is called. */
const strange: readonly [characters: RegExp, name: string][] = [
  [/\0/, "a NUL character"],
  [/\r/, "a carriage return"],
  // eslint-disable-next-line no-control-regex
  [/[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/, "a control character"],
  [/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/, "a blank that is no blank to the shell"],
  [/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/, "an invisible character"],
  [/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/, "half a character"],
];

/** What a person who reads the command would not see, or see otherwise than the shell. */
export function strangeCharacters(command: string): string[] {
  return strange.flatMap(([characters, name]) => (characters.test(command) ? [`It contains ${name}.`] : []));
}
