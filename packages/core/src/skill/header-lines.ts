/** A header with its two lines of dashes, line by line, so that single entries can be replaced. */
export interface HeaderLines {
  /** Each with its line end; the first and the last are the dashes. */
  readonly lines: string[];
  /** As the header has it. */
  readonly lineEnd: string;
}

export function headerLines(header: string): HeaderLines {
  const lines = header.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return { lines, lineEnd: /[\r\n]+$/.exec(lines[0] ?? "")?.[0] ?? "\n" };
}

/** How many lines the entry that begins at `first` has, up to the next thing that begins a line. */
export function entryLength({ lines }: HeaderLines, first: number): number {
  let next = first + 1;
  while (next < lines.length - 1 && CONTINUES.test(lines[next] ?? "")) next++;
  return next - first;
}

/** White space, a comment, a list's item, the end of brackets. */
const CONTINUES = /^(?:[\s#\]},]|-(?:\s|$))/;
