/** What an id names; the first letters of the id. */
export type IDPrefix = "ses" | "msg" | "prt" | "ask" | "art" | "abt" | "own";

/** Makes ids. Only uniqueness matters: nothing compares two ids. */
export type IDSource = (prefix: IDPrefix) => string;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idLength = 26;
const poolSize = 4096;

/**
 * Random ids: a prefix, `_`, and 26 characters of base 62 (about 154 bits), OpenCode's length and alphabet.
 * Without a time in them, so that nothing can be tempted to order by them.
 */
export function randomIDs(): IDSource {
  const pool = new Uint8Array(poolSize);
  const codes = new Array<number>(idLength).fill(0);
  let next = poolSize;
  const code = (): number => {
    for (;;) {
      if (next === poolSize) {
        crypto.getRandomValues(pool);
        next = 0;
      }
      const byte = pool[next++] ?? 255;
      // 248 = 4 × 62: larger bytes would make the first letters likelier than the last.
      if (byte < 248) return alphabet.charCodeAt(byte % 62);
    }
  };
  return (prefix) => {
    for (let index = 0; index < idLength; index += 1) codes[index] = code();
    return `${prefix}_${String.fromCharCode(...codes)}`;
  };
}
