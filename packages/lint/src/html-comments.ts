import type { LintedText } from "./linted-text.js";

export interface HtmlComment {
  readonly line: number;
  readonly column: number;
  /** At most 4,000 characters of the comment. */
  readonly text: string;
}

/** Yields the comments in running text. Comments in fenced blocks are visible and are skipped. */
export function* htmlComments(file: LintedText): Generator<HtmlComment, void, undefined> {
  let start = file.text.indexOf("<!--");
  while (start !== -1) {
    const close = file.text.indexOf("-->", start + 4);
    const end = close === -1 ? file.text.length : close;
    const line = file.lineAt(start);
    if (file.context(line) === "prose")
      yield {
        line,
        column: start - file.lineStart(line) + 1,
        text: file.text.slice(start + 4, Math.min(end, start + 4004)),
      };
    start = close === -1 ? -1 : file.text.indexOf("<!--", close);
  }
}
