import type { LineContext } from "./line-contexts.js";
import type { LintedText } from "./linted-text.js";

/** A stretch of text that a pattern is tried on: a line, and what goes on after it where a sentence or command does. */
export interface TextWindow {
  readonly file: LintedText;
  /** The first one. */
  readonly line: number;
  /** The lines of a command are one line in it, those of a sentence are parted by LF. */
  readonly text: string;
  /** What begins at or after this index is found in another window. */
  readonly own: number;
  readonly context: LineContext;
  /** Where something in the text stands in the file. */
  readonly place: (index: number) => { readonly line: number; readonly column: number };
}

const LENGTH = 2000;
const BEFORE = 400;
const STEP = 1200;
const MAX_LINES = 8;
/** They would part the words of a phrase; that they are there is SEC-01. */
const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff]/g;

/**
 * The windows around every place where one of the words stands, which are in lower case. No word, no window, so that a
 * text in which nothing is to be found costs one fast search a word. Windows of one long line overlap.
 */
export function* textWindows(
  file: LintedText,
  words: readonly string[],
): Generator<TextWindow, void, undefined> {
  const seen = new Set<number>();
  for (const word of words) {
    let at = file.lower.indexOf(word);
    while (at !== -1) {
      const line = file.lineAt(at);
      const start = file.lineStart(line);
      const { length } = file.line(line);
      // A phrase that goes on here may have begun before.
      for (let first = firstLine(file, line); first <= line; first++) {
        const whole = file.line(first).length;
        const offset =
          first < line
            ? Math.max(0, whole - LENGTH)
            : length <= LENGTH
              ? 0
              : Math.max(0, at - start - BEFORE);
        const key = file.lineStart(first) + offset;
        if (seen.has(key)) continue;
        seen.add(key);
        yield windowAt(file, first, offset);
      }
      at = file.lower.indexOf(word, length <= LENGTH ? Math.max(start + length, at + 1) : at + STEP);
    }
  }
}

function firstLine(file: LintedText, line: number): number {
  const most = isCode(file.context(line)) ? MAX_LINES : 1;
  let first = line;
  while (first > 1 && line - first < most && goesOn(file, first - 1)) first--;
  return first;
}

/** A sentence takes in one more line, and what begins there is that line's; a command is read as one. */
function windowAt(file: LintedText, line: number, offset: number): TextWindow {
  const context = file.context(line);
  const most = isCode(context) ? MAX_LINES : 1;
  const whole = file.line(line);
  let text = whole.slice(offset, offset + LENGTH);
  const parts = [{ at: 0, line, offset }];
  const reachesEnd = offset + LENGTH >= whole.length;
  for (
    let last = line;
    reachesEnd && last - line < most && text.length < LENGTH && goesOn(file, last);
    last++
  ) {
    const next = file.line(last + 1);
    const indent = next.length - next.trimStart().length;
    text = isCode(context) ? `${text.replace(/\\$/, "")} ` : `${text}\n`;
    parts.push({ at: text.length, line: last + 1, offset: indent });
    text += next.slice(indent, indent + LENGTH - text.length);
  }
  return {
    file,
    line,
    text: text.replace(ZERO_WIDTH, " "),
    own: isCode(context) ? text.length : (parts[1]?.at ?? text.length),
    context,
    place(index) {
      const part = parts.findLast(({ at }) => at <= index) ?? { at: 0, line, offset };
      return { line: part.line, column: part.offset + index - part.at + 1 };
    },
  };
}

function isCode(context: LineContext): boolean {
  return context === "code" || context === "data";
}

/** Whether a sentence or a command of this line may go on in the next. */
function goesOn(file: LintedText, line: number): boolean {
  const context = file.context(line);
  if (line >= file.lineCount || file.context(line + 1) !== context) return false;
  const end = file.line(line).slice(-4).trimEnd();
  if (isCode(context)) return /[\\|&]$/.test(end);
  const next = file.line(line + 1).slice(0, 24);
  return end !== "" && next.trim() !== "" && !/^\s*(?:[-*+|#>`~=]|\d{1,3}[.)]\s)/.test(next);
}
