import { fileKind } from "./file-kind.js";
import { type LineContext, lineContexts } from "./line-contexts.js";
import type { LintedFile } from "./lint-finding.js";

/** A file's text with its lines. */
export interface LintedText {
  readonly path: string;
  /** The text without a byte order mark. */
  readonly text: string;
  /** The text in lower case, with every character at the same offset. */
  readonly lower: string;
  readonly lineCount: number;
  /** Returns a line, counted from 1, without its line end. */
  line(number: number): string;
  /** Returns the offset at which a line begins. */
  lineStart(number: number): number;
  /** Returns the number of the line that contains an offset. */
  lineAt(offset: number): number;
  context(line: number): LineContext;
}

/** Returns the text of a file; `undefined` for links, for files without content and for binary files. */
export function lintedText(file: LintedFile, isSkillFile: boolean): LintedText | undefined {
  const kind = isSkillFile ? "prose" : fileKind(file);
  if (kind === "binary" || file.content === undefined || (file.kind ?? "file") !== "file") return undefined;
  const text = decoded(file.content);
  const starts = lineStarts(text);
  let contexts: readonly LineContext[] | undefined;

  function lineAt(offset: number): number {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  function line(number: number): string {
    const from = starts[number - 1] ?? text.length;
    let end = starts[number] ?? text.length;
    while (end > from && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
    return text.slice(from, end);
  }

  return {
    path: file.path,
    text,
    lower: lowerCase(text),
    lineCount: starts.length,
    line,
    lineAt,
    lineStart: (number) => starts[number - 1] ?? text.length,
    context(number) {
      if (kind !== "prose") return kind;
      contexts ??= lineContexts(starts.length, line, isSkillFile);
      return contexts[number - 1] ?? "prose";
    },
  };
}

function decoded(content: string | Uint8Array): string {
  if (typeof content === "string") return content.replace(/^\ufeff/, "");
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(content);
  return new TextDecoder().decode(content);
}

/** The dotted capital I is the only letter whose lower case is longer than itself. */
function lowerCase(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

/** Returns the offset of each line. Lines end with LF, CRLF or CR; there is at least one. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  let feed = text.indexOf("\n");
  let carriage = text.indexOf("\r");
  while (feed !== -1 || carriage !== -1) {
    const end = carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage;
    const next = end === carriage && feed === end + 1 ? end + 2 : end + 1;
    starts.push(next);
    if (feed !== -1 && feed < next) feed = text.indexOf("\n", next);
    if (carriage !== -1 && carriage < next) carriage = text.indexOf("\r", next);
  }
  return starts;
}
