/**
 * Puts a blank line before each text that another one precedes, where a provider's package joins the texts of a message.
 *
 * @param before what the message holds already
 */
export function separateTexts<C extends { type: string }>(content: C[], before: readonly C[] = []): C[] {
  let isFirst = !before.some(isText);
  return content.map((part) => {
    if (!isText(part)) return part;
    const separated = isFirst ? part : Object.assign({}, part, { text: `\n\n${part.text}` });
    isFirst = false;
    return separated;
  });
}

function isText<C extends { type: string }>(part: C): part is C & { text: string } {
  return part.type === "text";
}
