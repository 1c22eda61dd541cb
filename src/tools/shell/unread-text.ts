import type { SyntaxNode } from "unbash";

/** What may stand between the children of a node without being one. */
const between: Partial<Record<SyntaxNode["type"], RegExp>> = {
  Command: /^(?:\s|\\\n)*$/,
  Script: /^(?:[\s;&]|\\\n|#[^\n]*)*$/,
  CompoundList: /^(?:[\s;&]|\\\n|#[^\n]*)*$/,
};

/**
 * Text that the parser skipped without a word: every byte must belong to something that was read.
 *
 * @param source the text that the positions refer to, without the bodies of here-documents, which stand behind the command
 */
export function unreadText(node: SyntaxNode, children: readonly SyntaxNode[], source: string): string | undefined {
  const allowed = between[node.type];
  if (allowed === undefined) return undefined;
  let position = node.pos;
  for (const child of [...children].sort((a, b) => a.pos - b.pos)) {
    const gap = source.slice(position, child.pos);
    if (!allowed.test(gap)) return gap;
    position = Math.max(position, child.end);
  }
  const rest = source.slice(position, node.end);
  return allowed.test(rest) ? undefined : rest;
}

/** The text with blanks for a part of it. */
export function blanked(source: string, start: number, end: number): string {
  return source.slice(0, start) + " ".repeat(Math.max(0, end - start)) + source.slice(end);
}
