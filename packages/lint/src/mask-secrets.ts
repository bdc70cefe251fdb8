import { secretSpans } from "./secret-spans.js";

/** A range of text and its replacement. */
export interface Masking {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Returns the text with `***` in place of every secret. At most the first four characters of a secret are kept. */
export function maskSecrets(text: string): string {
  let shown = "";
  let at = 0;
  for (const { start, end, by } of secretMaskings(text)) {
    shown += text.slice(at, start) + by;
    at = end;
  }
  return shown + text.slice(at);
}

/** A long unbroken run may be the inside of a key block, or the rest of a token that was cut. */
const LONG_RUN = /[\w+/=-]{60,}/g;

/** Returns the ranges to hide, in order and without overlaps. */
export function secretMaskings(text: string): readonly Masking[] {
  const shaped = secretSpans(text).map(({ start, end, shape }) => ({
    start,
    end,
    by: `${text.slice(start, start + (shape.shown ?? 4))}***`,
  }));
  const runs = [...text.matchAll(LONG_RUN)]
    .filter(([run]) => /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run))
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      by: `${match[0].slice(0, 4)}***`,
    }));
  const maskings: Masking[] = [];
  for (const next of [...shaped, ...runs].sort((a, b) => a.start - b.start)) {
    const last = maskings.at(-1);
    if (!last || next.start >= last.end) maskings.push(next);
    else if (next.end > last.end) maskings[maskings.length - 1] = { ...last, end: next.end };
  }
  return maskings;
}
