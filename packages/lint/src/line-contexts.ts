/**
 * The context of a line: the header of SKILL.md, running text, code (a script, a fenced block), or data such as JSON.
 */
export type LineContext = "header" | "prose" | "code" | "data";

const FENCE = /^\s{0,12}(?:>\s?|[-*+]\s{1,4}|\d{1,3}[.)]\s{1,3})?(`{3,}|~{3,})/;

/** Returns the context of every line of a Markdown file. An unclosed fence extends to the end, as in renderers. */
export function lineContexts(
  count: number,
  line: (number: number) => string,
  hasHeader: boolean,
): readonly LineContext[] {
  const contexts: LineContext[] = [];
  let fence: string | undefined;
  let inHeader = hasHeader && isDelimiter(line(1));
  for (let number = 1; number <= count; number++) {
    const text = line(number);
    if (inHeader) {
      contexts.push("header");
      if (number > 1 && isDelimiter(text)) inHeader = false;
      continue;
    }
    const mark = FENCE.exec(text)?.[1];
    contexts.push(fence || mark ? "code" : "prose");
    if (!mark) continue;
    if (!fence) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return contexts;
}

function isDelimiter(line: string): boolean {
  return /^---[ \t]*$/.test(line);
}
