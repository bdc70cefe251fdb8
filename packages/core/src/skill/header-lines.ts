/** A header with its two lines of dashes, split into lines so that single entries can be replaced. */
export interface HeaderLines {
  /** Lines with their line ends. The first and the last are the dashes. */
  readonly lines: string[];
  /** The line end used in the header. */
  readonly lineEnd: string;
}

export function headerLines(header: string): HeaderLines {
  const lines = header.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return { lines, lineEnd: /[\r\n]+$/.exec(lines[0] ?? "")?.[0] ?? "\n" };
}

/** Number of lines of the entry that begins at `first`. */
export function entryLength({ lines }: HeaderLines, first: number): number {
  let next = first + 1;
  while (next < lines.length - 1 && CONTINUES.test(lines[next] ?? "")) next++;
  return next - first;
}

/** White space, a comment, a list item, or a closing bracket. */
const CONTINUES = /^(?:[\s#\]},]|-(?:\s|$))/;
