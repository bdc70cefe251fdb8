import type { LineContext } from "./line-contexts.js";
import type { LintedText } from "./linted-text.js";

/** A stretch of text that a pattern is tried on: a line, and the next one where a sentence or command goes on there. */
export interface TextWindow {
  readonly file: LintedText;
  readonly line: number;
  /** Where in the line the window begins: 0, but in lines of more than 2,000 characters. */
  readonly offset: number;
  readonly text: string;
  /** How much of the text is of the line itself; what begins later is found with the next line. */
  readonly own: number;
  readonly context: LineContext;
}

const LENGTH = 2000;
const BEFORE = 400;
const STEP = 1200;
const JOINED = 500;

/**
 * The windows around every place where one of the words stands, which are in lower case. No word, no window, so that a
 * text in which nothing is to be found costs one fast search a word. Windows of one long line overlap.
 */
export function* textWindows(file: LintedText, words: readonly string[]): Generator<TextWindow, void, undefined> {
  const seen = new Set<number>();
  for (const word of words) {
    let at = file.lower.indexOf(word);
    while (at !== -1) {
      const line = file.lineAt(at);
      const start = file.lineStart(line);
      const text = file.line(line);
      const offset = text.length <= LENGTH ? 0 : Math.max(0, at - start - BEFORE);
      if (!seen.has(start + offset)) {
        seen.add(start + offset);
        yield windowAt(file, line, offset, text);
      }
      // A phrase that goes on here may have begun on the line before.
      if (line > 1 && !seen.has(file.lineStart(line - 1)) && goesOn(file, line - 1)) {
        const before = file.line(line - 1);
        const from = Math.max(0, before.length - LENGTH);
        seen.add(file.lineStart(line - 1) + from);
        yield windowAt(file, line - 1, from, before);
      }
      const next = text.length <= LENGTH ? start + text.length : at + STEP;
      at = file.lower.indexOf(word, Math.max(next, at + 1));
    }
  }
}

function windowAt(file: LintedText, line: number, offset: number, whole: string): TextWindow {
  const piece = whole.slice(offset, offset + LENGTH);
  const joined = offset + LENGTH >= whole.length && goesOn(file, line);
  const own = joined ? piece.replace(/[\\\s]+$/, "") : piece;
  const text = joined ? `${own} ${file.line(line + 1).trimStart().slice(0, JOINED)}` : own;
  return { file, line, offset, text, own: own.length, context: file.context(line) };
}

/** Whether a sentence or a command of this line may go on in the next. */
function goesOn(file: LintedText, line: number): boolean {
  const context = file.context(line);
  if (line >= file.lineCount || file.context(line + 1) !== context) return false;
  const end = file.line(line).slice(-4).trimEnd();
  if (context === "code" || context === "data") return /[\\|&]$/.test(end);
  const next = file.line(line + 1).slice(0, 24);
  return end !== "" && next.trim() !== "" && !/^\s*(?:[-*+|#>`~=]|\d{1,3}[.)]\s)/.test(next);
}
