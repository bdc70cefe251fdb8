import { texts } from "../texts/index.js";
import { numberInWords } from "../ui/words.js";

/** A line of a run's output, with the colours that hold at its beginning. */
export interface LogLine {
  readonly stream: "stdout" | "stderr" | "note";
  /** As it was printed; `shownPart` makes it fit to be shown. */
  readonly text: string;
  readonly colours: string;
}

/** More of a line is not shown. */
const MOST_CHARACTERS = 4000;
const HEAD_LINES = 1000;
const TAIL_LINES = 100_000;

/** Lines of a run's output, of which the first 1,000 and the last 100,000 or more are kept. */
export function logLines() {
  const head: LogLine[] = [];
  let tail: LogLine[] = [];
  let left = 0;
  const open = { stdout: "", stderr: "" };
  const colours = { stdout: "", stderr: "" };

  function push(line: LogLine): void {
    if (head.length < HEAD_LINES) {
      head.push(line);
      return;
    }
    tail.push(line);
    if (tail.length <= TAIL_LINES * 2) return;
    left += TAIL_LINES;
    tail = tail.slice(TAIL_LINES);
  }

  function end(stream: "stdout" | "stderr", raw: string): void {
    push({ stream, text: kept(raw), colours: colours[stream] });
    colours[stream] = coloursAfter(colours[stream], raw);
  }

  return {
    add(stream: "stdout" | "stderr", text: string): void {
      let from = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        end(stream, open[stream] + text.slice(from, at));
        open[stream] = "";
        from = at + 1;
      }
      const rest = text.slice(from);
      // Of a line without an end, as much is kept as is shown.
      if (open[stream].length < MOST_CHARACTERS * 2) open[stream] += rest;
    },
    note(text: string): void {
      push({ stream: "note", text, colours: "" });
    },
    /** With the lines that have no end yet. */
    all(): {
      readonly at: (index: number) => LogLine | undefined;
      readonly length: number;
      readonly left: number;
    } {
      const last = (["stdout", "stderr"] as const).flatMap((stream) =>
        open[stream] === ""
          ? []
          : [{ stream, text: kept(open[stream]), colours: colours[stream] } as LogLine],
      );
      const gap = left > 0 ? 1 : 0;
      const ended = head.length + gap + tail.length;
      const held = tail;
      return {
        left,
        length: ended + last.length,
        at: (index) => {
          if (index < head.length) return head[index];
          if (gap && index === head.length)
            return { stream: "note", text: texts.runs.leftOut(numberInWords(left)), colours: "" };
          return index < ended ? held[index - head.length - gap] : last[index - ended];
        },
      };
    },
  };
}

/** What a terminal would show after the last carriage return; one character more than is shown tells that it was longer. */
function kept(raw: string): string {
  const end = raw.endsWith("\r") ? raw.length - 1 : raw.length;
  const start = raw.lastIndexOf("\r", end - 1) + 1;
  return raw.slice(start, Math.min(end, start + MOST_CHARACTERS + 1));
}

/** The line without sequences other than colours. It is made when the line comes into view: most never do. */
export function shownPart(text: string): string {
  const shown = text.slice(0, MOST_CHARACTERS).replace(SEQUENCES, "");
  return text.length > MOST_CHARACTERS ? texts.runs.cut(shown) : shown;
}

const ESC = "\u001b";
const SEQUENCES = new RegExp(
  [
    // Titles and links of terminals, with or without their end
    `${ESC}[\\]PX^_][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?`,
    // Everything that moves the cursor or changes the screen
    `${ESC}\\[[0-9;:?<>=]*[ -/]*[@-ln-~]`,
    `${ESC}[ -/]*[0-Z\\\\^-~]`,
    // Other control characters, and those that change the direction of text
    "[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f\\u0080-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]",
  ].join("|"),
  "g",
);

const COLOURS = new RegExp(`${ESC}\\[[0-9;]*m`, "g");
const RESET = new RegExp(`^${ESC}\\[0*m$`);

function coloursAfter(before: string, raw: string): string {
  if (!raw.includes(ESC)) return before;
  let now = before;
  for (const [one] of raw.matchAll(COLOURS)) now = RESET.test(one) ? "" : `${now}${one}`.slice(-200);
  // What was cut may begin in the middle of a sequence.
  return now.slice(Math.max(0, now.indexOf(ESC)));
}
