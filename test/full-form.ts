/**
 * Long tests have a short form, which `npm test` runs, and a full one, which `pnpm soak tests-in-full` runs: it finds them
 * by their import of this module.
 */
export const isFull = process.env["SKILLWRIGHT_FULL"] === "1";

const SHARE = 0.02;
const FEW = 6;

/** A number of repetitions; in the short form a fraction of it, one in fifty by default. */
export function times(full: number, share = SHARE): number {
  return isFull ? full : Math.ceil(share * full);
}

/** Parameters for fast-check: the number of runs, always with the same seed. */
export function runs(full: number): { numRuns: number; seed: number } {
  return { numRuns: times(full), seed: Number(process.env["SKILLWRIGHT_SEED"] ?? 1) };
}

/** The numbers from 1 to `last`; in the short form the first, the last and four evenly spaced between them. */
export function everyOf(last: number): readonly number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1);
  if (isFull || last <= FEW) return all;
  return Array.from({ length: FEW }, (_, index) => 1 + Math.round((index * (last - 1)) / (FEW - 1)));
}
