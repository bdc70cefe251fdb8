import { shownLine } from "@skillwright/core/adapter";

/** The text on one line, as `shownLine` of core gives it, trimmed. */
export function oneLine(text: string): string {
  return shownLine(text).trim();
}

/** One line that no XML reader interprets as a tag or an entity. */
export function xmlText(text: string): string {
  return xmlEscaped(oneLine(text));
}

/** The same for text that is on one line already. */
export function xmlEscaped(line: string): string {
  return /[&<>]/.test(line) ? line.replace(/[&<>]/g, (character) => XML[character] ?? character) : line;
}

/** The same, for use in double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', "&quot;");
}

/** One line in a code span that it cannot close, and from which Markdown restores the original text. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const runs = line.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${line}\``;
  const fence = "`".repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`;
}

/** At most that many UTF-16 units, including the mark of the cut; never half a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
