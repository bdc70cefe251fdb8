/** Where lines of a text begin, found in pieces so that the page stays usable. */
export interface LineIndex {
  readonly lines: number;
  /** Fields that a spreadsheet would compute; only counted with `quotes`. */
  readonly formulas: number;
  /** The bytes of a line, without its end. */
  line(index: number): Uint8Array;
}

const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;

/**
 * Reports what is found so far, at last all of it. With `quotes`, ends of lines inside quotes do not end a row, as in CSV.
 * An end of line at the end begins no line.
 */
export async function indexLines(
  bytes: Uint8Array,
  {
    quotes,
    signal,
    onLines,
  }: {
    readonly quotes: boolean;
    readonly signal: AbortSignal;
    readonly onLines: (index: LineIndex) => void;
  },
): Promise<void> {
  let starts = new Float64Array(4096);
  let count = 0;
  let isQuoted = false;
  let formulas = 0;
  const add = (at: number) => {
    if (count === starts.length) {
      const larger = new Float64Array(starts.length * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at;
  };
  if (bytes.length > 0) add(0);
  for (let from = 0; from < bytes.length && !signal.aborted; from += PIECE_BYTES) {
    const to = Math.min(bytes.length, from + PIECE_BYTES);
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (quotes && beginsFormula(bytes, at)) formulas++;
      if (byte === QUOTE && quotes) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted && at + 1 < bytes.length) add(at + 1);
    }
    onLines({ ...linesIn(bytes, starts, count, to), formulas });
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (bytes.length === 0) onLines({ ...linesIn(bytes, starts, 0, 0), formulas });
}

/** True at `=`, `@`, and a `+` or `-` before no number, at the beginning of a field. */
function beginsFormula(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  if (byte > 64 || !FORMULAS.has(byte) || (at > 0 && !BEFORE_FIELDS.has(bytes[at - 1] ?? 0))) return false;
  const next = bytes[at + 1] ?? 0;
  const isSign = byte === 43 || byte === 45;
  return (
    !isSign || !((next >= 48 && next <= 57) || BEFORE_FIELDS.has(next) || next === 46 || next === RETURN)
  );
}

const codesOf = (text: string) => new Set(Array.from(text, (one) => one.charCodeAt(0)));
const FORMULAS = codesOf("=@+-");
const BEFORE_FIELDS = codesOf(',;\t|\n"');

function linesIn(
  bytes: Uint8Array,
  starts: Float64Array,
  lines: number,
  end: number,
): Omit<LineIndex, "formulas"> {
  return {
    lines,
    line: (index) => {
      const from = starts[index] ?? 0;
      let to = index + 1 < lines ? (starts[index + 1] ?? end) : end;
      if (to > from && bytes[to - 1] === NEWLINE) to--;
      if (to > from && bytes[to - 1] === RETURN) to--;
      return bytes.subarray(from, to);
    },
  };
}
