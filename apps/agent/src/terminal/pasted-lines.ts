import { Transform } from "node:stream";
import type { InputStream } from "./terminal-input.js";

/** Turns the terminal's marking of pasted text on, or off. */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";

const START = "\u001b[200~";
const END = "\u001b[201~";
/** Stands for a line end while the line is edited. */
const SHOWN = "↵";

/** Terminal input in which a line end inside a paste does not end the line. */
export function withPastedLines(input: InputStream): InputStream {
  let held = "";
  let isPaste = false;
  const filter = new Transform({
    transform(chunk: Buffer | string, _encoding, done) {
      held += chunk.toString();
      let passed = "";
      for (;;) {
        const marker = isPaste ? END : START;
        const at = held.indexOf(marker);
        const whole = at >= 0 ? held.slice(0, at) : held.slice(0, held.length - begun(held, marker));
        // The person submits the last line of a paste, not the paste's own line end.
        const piece = isPaste ? whole.replace(/[\r\n]+$/, "") : whole;
        passed += isPaste ? piece.replace(/\r\n|\r|\n/g, SHOWN) : piece;
        held = held.slice(at >= 0 ? at + marker.length : piece.length);
        if (at < 0) break;
        isPaste = !isPaste;
      }
      done(null, passed);
    },
  });
  const { setRawMode } = input as { setRawMode?: (isRaw: boolean) => unknown };
  if (setRawMode) Object.assign(filter, { setRawMode: (isRaw: boolean) => setRawMode.call(input, isRaw) });
  return Object.assign(input.pipe(filter), { isTTY: true });
}

/** Restores the line as it was pasted. */
export function wholeLine(typed: string): string {
  return typed.replaceAll(SHOWN, "\n");
}

/** Number of characters at the end that may begin a marker. A lone escape is a key. */
function begun(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 1; length--)
    if (text.endsWith(marker.slice(0, length))) return length;
  return 0;
}
