import { shownLine } from "@skillwright/core";

/** The text on one line, as `shownLine` of core gives it, without blanks around it. */
export function oneLine(text: string): string {
  return shownLine(text).trim();
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
