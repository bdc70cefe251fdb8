export interface RowLimits {
  /** Of the terminal, what stands before the rows not counted. */
  readonly columns: number;
  /** At most so many rows, one of which says how many are hidden. */
  readonly most: number;
}

/**
 * Text that somebody has to judge, as rows of a terminal: what does not show, turns the direction of writing round or moves the
 * cursor is escaped, blank lines in a row become one that counts them, and what is too long loses its middle, which is counted.
 * A row begins with `│`, one that goes on with the line before with `┆`, and a row of neither is none of the text.
 */
export function escapedRows(text: string, { columns, most }: RowLimits): readonly string[] {
  const width = columns - 2;
  const rows = withoutBlanks(text.split("\n")).flatMap((line) =>
    typeof line === "number" ? [`⋮ ${line} blank lines`] : chunks(escaped(line), width).map(marked),
  );
  if (rows.length <= most) return rows;
  const first = Math.ceil((most - 1) / 2);
  const last = most - 1 - first;
  const hidden = rows.length - first - last;
  return [...rows.slice(0, first), `⋮ ${hidden} lines hidden`, ...rows.slice(rows.length - last)];
}

/** The text on one line, with everything that does not show as `\u{200b}`. */
export function escaped(text: string): string {
  return text
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Controls, directions, joiners, tags, fillers, blanks other than the space, and marks that pile up. */
const UNSEEN = /\p{C}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\u2800|(?<=\p{M}{3})\p{M}/gu;

/** Three blank lines and more as their number. */
function withoutBlanks(lines: readonly string[]): readonly (string | number)[] {
  const kept: (string | number)[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end]?.trim() === "") end++;
    if (end - at >= 3) kept.push(end - at);
    else kept.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return kept;
}

function marked(chunk: string, index: number): string {
  return `${index === 0 ? "│" : "┆"} ${chunk}`;
}

/** Cut before the terminal would break them: after a blank where one stands in the second half. Nothing is dropped. */
function chunks(line: string, width: number): readonly string[] {
  const found: string[] = [];
  let chunk: string[] = [];
  for (const character of line) {
    if (columnsOf([...chunk, character]) > width) {
      const blank = chunk.lastIndexOf(" ") + 1;
      const rest = blank > chunk.length / 2 ? chunk.splice(blank) : [];
      found.push(chunk.join(""));
      chunk = rest;
    }
    chunk.push(character);
  }
  return [...found, chunk.join("")];
}

/** Rather one too many than one too few, which would break the row. */
function columnsOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2), 0);
}
