import { createColors } from "picocolors";

/** Where a run is shown. Colours and fitted lines only on a terminal that supports them. */
export interface Screen {
  readonly colours: ReturnType<typeof createColors>;
  /** True where a person watches. */
  readonly isTerminal: boolean;
  /** Characters per line; infinite where there is no terminal. */
  readonly columns: number;
  write(text: string): void;
  /** Writes one line; on a terminal cut to its width. */
  line(text?: string): void;
  /**
   * Writes prose; on a terminal broken between words, with continuation lines indented by `indent` (default: like the
   * first).
   */
  prose(text: string, indent?: number): void;
}

export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export function screen(output: OutputStream, env: Readonly<Record<string, string | undefined>>): Screen {
  const isTerminal = output.isTTY === true;
  // Queried each time, because a window can be resized.
  const columns = () => (isTerminal ? output.columns || 80 : Number.POSITIVE_INFINITY);
  const colours = createColors(isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb");
  return {
    colours,
    isTerminal,
    get columns() {
      return columns();
    },
    write: (text) => void output.write(text),
    line: (text = "") => void output.write(`${fitted(text, columns())}\n`),
    prose: (text, indent) => {
      for (const line of text.split("\n")) output.write(`${wrapped(line, columns(), indent)}\n`);
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with ESC
const COLOUR = /\u001b\[[\d;]*m/g;

/** Cuts at the width, ignoring colours, so that one step stays one line in a narrow terminal. */
function fitted(text: string, width: number): string {
  if (visibleLength(text) <= width) return text;
  let left = width - 1;
  const pieces = text.split(new RegExp(`(${COLOUR.source})`)).flatMap((part, index) => {
    if (index % 2 === 1) return [part];
    const kept = [...part].slice(0, Math.max(0, left));
    left -= kept.length;
    return kept;
  });
  return `${pieces.join("")}…`;
}

/** Breaks at blanks; a word longer than the width, such as a path, stays whole. */
function wrapped(text: string, width: number, indent = text.search(/\S|$/)): string {
  const lines: string[] = [];
  let line = text.slice(0, text.search(/\S|$/));
  let filled = false;
  for (const word of text.trimStart().split(" ")) {
    if (filled && visibleLength(`${line} ${word}`) > width) {
      lines.push(line);
      line = " ".repeat(indent);
      filled = false;
    }
    line += filled ? ` ${word}` : word;
    filled = true;
  }
  return [...lines, line].join("\n");
}

function visibleLength(text: string): number {
  return [...text.replace(COLOUR, "")].length;
}
