/**
 * The tool that a call names: by its exact name, else by the only name that differs in upper and lower case alone (models
 * write `Read` for `read`).
 *
 * @returns `undefined` for an unknown or an ambiguous name
 */
export function findTool<T extends { readonly name: string }>(tools: readonly T[], name: string): T | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const similar = tools.filter((tool) => tool.name.toLowerCase() === name.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}
