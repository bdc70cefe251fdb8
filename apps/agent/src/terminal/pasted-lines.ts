import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { InputStream } from "./terminal-input.js";

/** Turns the terminal's marking of pasted text on, or off. */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";

const START = "\u001b[200~";
const END = "\u001b[201~";
/** Stands for a line end while the line is edited. */
const SHOWN = "↵";
/** Readline would end a line at these. Unicode keeps the characters in their place for a program's own use. */
const SEPARATORS = { "\u2028": "\ufdd0", "\u2029": "\ufdd1" };

/** Input for readline in which only a line end that was typed or piped ends a line. `release` stops reading. */
export function withWholeLines(input: InputStream): { readonly lines: InputStream; release(): void } {
  const decoder = new StringDecoder("utf8");
  const isTerminal = input.isTTY === true;
  let held = "";
  let isPaste = false;
  const filter = new Transform({
    transform(chunk: Buffer | string, _encoding, done) {
      held += typeof chunk === "string" ? chunk : decoder.write(chunk);
      let passed = "";
      for (;;) {
        const marker = isPaste ? END : START;
        const at = isTerminal ? held.indexOf(marker) : -1;
        const kept = isTerminal ? begun(held, marker) : 0;
        const whole = at >= 0 ? held.slice(0, at) : held.slice(0, held.length - kept);
        // The person submits the last line of a paste, not the paste's own line end.
        const piece = isPaste ? whole.replace(/[\r\n]+$/, "") : whole;
        passed += isPaste ? piece.replace(/\r\n|\r|\n/g, SHOWN) : piece;
        held = held.slice(at >= 0 ? at + marker.length : piece.length);
        if (at < 0) break;
        isPaste = !isPaste;
      }
      done(null, replaced(passed, Object.entries(SEPARATORS)));
    },
  });
  const { setRawMode, isRaw = false } = input;
  if (setRawMode) Object.assign(filter, { setRawMode: (mode: boolean) => setRawMode.call(input, mode) });
  return {
    lines: Object.assign(input.pipe(filter), { isTTY: isTerminal }),
    release: () => {
      input.unpipe(filter);
      // What reads from the terminal keeps the process alive.
      input.pause();
      if (isRaw) setRawMode?.call(input, true);
    },
  };
}

/** Restores the line as it was typed or pasted. */
export function wholeLine(typed: string): string {
  const back = Object.entries(SEPARATORS).map(([separator, shown]) => [shown, separator] as const);
  return replaced(typed, [[SHOWN, "\n"], ...back]);
}

function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

/** Number of characters at the end that may begin a marker. A lone escape is a key. */
function begun(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 1; length--)
    if (text.endsWith(marker.slice(0, length))) return length;
  return 0;
}
