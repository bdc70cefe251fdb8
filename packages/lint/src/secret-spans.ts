import { type SecretShape, secretShapes } from "./secret-shapes.js";

/** The position of text that has the form of a secret. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly shape: SecretShape;
}

/** Returns everything in the text that has the form of a secret, placeholders included, in order. */
export function secretSpans(text: string): readonly SecretSpan[] {
  const lower = text.toLowerCase();
  return secretShapes
    .filter(({ words }) => words.some((word) => lower.includes(word)))
    .flatMap((shape) => [...text.matchAll(shape.pattern)].map((match) => spanOf(match, shape)))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

function spanOf(match: RegExpExecArray, shape: SecretShape): SecretSpan {
  const [whole, part] = match;
  const start = part === undefined ? match.index : match.index + whole.lastIndexOf(`:${part}@`) + 1;
  return { start, end: start + (part ?? whole).length, shape };
}
