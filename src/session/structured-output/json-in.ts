/** The texts of JSON objects that an answer may consist of: all of it, the last fenced block, or what its braces hold. */
export function jsonIn(text: string): string[] {
  const whole = text.trim();
  const fenced = [...whole.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n?```/gi)].at(-1)?.[1]?.trim();
  const braced = whole.slice(whole.indexOf("{"), whole.lastIndexOf("}") + 1);
  return [...new Set([whole, fenced, braced])].filter((candidate): candidate is string => candidate !== undefined && isObject(candidate));
}

function isObject(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
