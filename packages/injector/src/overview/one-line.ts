/** Characters that break a line, hide text or change its direction, and those that no XML may hold. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

/** The text on one line, without invisible characters, blanks run together. */
export function oneLine(text: string): string {
  return text
    .replace(UNSEEN, (character) => (/\s/.test(character) ? " " : ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** One line that no XML reader takes for a tag or an entity. */
export function xmlText(text: string): string {
  return oneLine(text).replace(/[&<>]/g, (character) => XML[character] ?? character);
}

/** The same between double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', "&quot;");
}

/** One line in a code span that it cannot end, and from which Markdown reads the text back as it was. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const runs = line.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${line}\``;
  const fence = "`".repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`;
}

/** At most so many UTF-16 units, the mark of the cut included; never half a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
