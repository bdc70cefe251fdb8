/**
 * Wraps the text in a tag with attributes. Where the text contains that tag, its bracket is written as an entity, so
 * that nothing in a skill can close the wrapper.
 */
export function wrappedText(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${attributeText(value)}"`);
  const contained = text.replace(new RegExp(`<(?=/?\\s*${tag}\\b)`, "gi"), "&lt;");
  return `<${tag}${written.join("")}>\n${contained}\n</${tag}>`;
}

function attributeText(value: string): string {
  return value
    .replace(/\p{Cc}+/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
