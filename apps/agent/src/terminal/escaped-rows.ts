export interface RowLimits {
  /** Width of the terminal, without the prefix of each row. */
  readonly columns: number;
  /** Maximum number of rows; one of them tells how many are hidden. */
  readonly most: number;
}

/**
 * Text that a person must review, as rows of a terminal: invisible characters, direction marks and cursor movements are
 * escaped, consecutive blank lines become one that counts them, and a long text loses its middle, with a count. A row
 * begins with `│`, a continued one with `┆`; a row with neither is not part of the text.
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

/** The text on one line, with every invisible character as `\u{200b}`. */
export function escaped(text: string): string {
  return text
    .replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Controls, direction marks, joiners, tags, fillers, blanks other than the space, and stacked combining marks. */
const UNSEEN = /\p{C}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\u2800|(?<=\p{M}{3})\p{M}/gu;

/** Replaces three or more blank lines with their number. */
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

/**
 * Cuts before the terminal would break the line: after a blank if there is one in the second half. Nothing is dropped.
 */
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

/** Overestimates when in doubt, since underestimating would break the row. */
function columnsOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2), 0);
}
