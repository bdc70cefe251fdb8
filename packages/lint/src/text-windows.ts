import type { LineContext } from "./line-contexts.js";
import type { LintedText } from "./linted-text.js";

/**
 * A range of text to match patterns against: one line, plus the following ones that continue its sentence or command.
 */
export interface TextWindow {
  readonly file: LintedText;
  /** Number of the first line. */
  readonly line: number;
  /** Lines of a command are joined into one; lines of a sentence are separated by LF. */
  readonly text: string;
  /** Matches that begin at or after this index belong to another window. */
  readonly own: number;
  readonly context: LineContext;
  /** Maps an index in the text to its position in the file. */
  readonly place: (index: number) => { readonly line: number; readonly column: number };
}

const LENGTH = 2000;
const BEFORE = 400;
const STEP = 1200;
const MAX_LINES = 8;
/** Removed because they would separate the words of a phrase. SEC-01 reports them. */
const ZERO_WIDTH = /[\u200b-\u200d\u2060\ufeff]/g;

/**
 * Yields the windows around every occurrence of one of the words, which are in lower case. A text without any of the
 * words costs one fast search per word. Windows of one long line overlap.
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
      // A phrase that continues on this line may have begun on an earlier one.
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

/**
 * A window of a sentence includes one more line, whose own matches belong to that line's window. A command is read as a
 * whole.
 */
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

/** True where a sentence or command of this line may continue on the next. */
function goesOn(file: LintedText, line: number): boolean {
  const context = file.context(line);
  if (line >= file.lineCount || file.context(line + 1) !== context) return false;
  const end = file.line(line).slice(-4).trimEnd();
  if (isCode(context)) return /[\\|&]$/.test(end);
  const next = file.line(line + 1).slice(0, 24);
  return end !== "" && next.trim() !== "" && !/^\s*(?:[-*+|#>`~=]|\d{1,3}[.)]\s)/.test(next);
}
