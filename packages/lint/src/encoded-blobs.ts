import type { LintedText } from "./linted-text.js";

export interface EncodedBlob {
  readonly line: number;
  readonly column: number;
  /** Number of characters, over all lines. */
  readonly length: number;
}

const MIN_LENGTH = 512;
const MIN_DIFFERENT = 12;
const WRAPPED_LINE = /^[\s"'`#*]{0,40}([A-Za-z0-9+/_-]{48,200})={0,2}["'`,;+\\\s]{0,8}$/;

/**
 * Yields runs of at least 512 characters of base64 or hexadecimal digits, on one line or wrapped over many. Skips
 * images, fonts and sound in `data:` URLs, long web addresses, public keys and certificates.
 */
export function* encodedBlobs(file: LintedText): Generator<EncodedBlob, void, undefined> {
  let wrapped: { line: number; column: number; length: number; last: number; sample: string } | undefined;
  let isPublic = false;
  for (let line = 1; line <= file.lineCount; line++) {
    const length = (file.lineStart(line + 1) ?? 0) - file.lineStart(line);
    if (length >= MIN_LENGTH && file.context(line) !== "data") yield* inLine(file.line(line), line);
    if (length < 48 || length > 300) {
      if (length > 20 && length < 80) isPublic = publicAfter(file.line(line), isPublic);
      continue;
    }
    const match = WRAPPED_LINE.exec(file.line(line));
    const run = match?.[1];
    if (!run || isPublic || file.context(line) === "data") continue;
    if (wrapped?.last === line - 1) {
      wrapped.last = line;
      wrapped.length += run.length;
      if (wrapped.sample.length < MIN_LENGTH) wrapped.sample += run;
    } else {
      if (wrapped && isBlob(wrapped.sample)) yield wrapped;
      const column = (match?.[0].indexOf(run) ?? 0) + 1;
      wrapped = { line, column, length: run.length, last: line, sample: run };
    }
  }
  if (wrapped && isBlob(wrapped.sample)) yield wrapped;
}

function* inLine(text: string, line: number): Generator<EncodedBlob, void, undefined> {
  for (const { 0: run, index } of text.matchAll(/[A-Za-z0-9+/_-]+/g)) {
    if (run.length < MIN_LENGTH || !isBlob(run)) continue;
    const before = text.slice(Math.max(0, index - 200), index);
    if (/data:(?:image|font|audio|video|application\/(?:x-)?font)[\w/+.;=-]{0,60},$/i.test(before)) continue;
    if (/https?:\/\/[^\s"'`]{0,180}$/i.test(before)) continue;
    yield { line, column: index + 1, length: run.length };
  }
}

/** Encoded data uses most of its alphabet; a line of dashes, a path or a repeated word does not. */
function isBlob(run: string): boolean {
  if (run.length < MIN_LENGTH) return false;
  const sample = run.slice(0, 2000);
  const hexadecimal = /^[0-9a-fA-F]+$/.test(sample);
  return (
    new Set(sample).size >= (hexadecimal ? MIN_DIFFERENT : 3 * MIN_DIFFERENT) &&
    (hexadecimal || (/\d/.test(sample) && /[A-Z]/.test(sample) && /[a-z]/.test(sample)))
  );
}

function publicAfter(line: string, before: boolean): boolean {
  const [, edge, what = ""] = /-----(BEGIN|END) ([A-Z0-9 ]{3,40})-----/.exec(line) ?? [];
  if (edge === undefined) return before;
  return edge === "BEGIN" && /CERTIFICATE|PUBLIC KEY|SIGNATURE|PGP MESSAGE/.test(what);
}
