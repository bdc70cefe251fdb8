import type { BigIntStats } from "node:fs";

/**
 * A value that changes whenever the file is written, replaced or given other permissions, as far as its times show
 * this.
 */
export function stampOf(stat: Stamp): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** The data that a stamp is built from. */
export type Stamp = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** Compares stamps without building their texts, which takes several times as long. */
export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return (
    a.ino === b.ino &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs &&
    a.size === b.size &&
    a.dev === b.dev
  );
}

/**
 * False while the file was changed so recently that another change could leave the same stamp, because the file
 * system's clock has a limited resolution. Content read during that time must not be cached. `now` is a time before the
 * reading.
 */
export function isSettled(stat: Pick<Stamp, "ctimeNs">, now: number): boolean {
  const step = stat.ctimeNs % 1_000_000_000n === 0n ? COARSE_STEP_MS : STEP_MS;
  return Number(stat.ctimeNs / 1_000_000n) + step < now;
}

/** Linux updates times every 1 to 10 ms. File systems with whole seconds are recognised by their times. */
const STEP_MS = 100;
const COARSE_STEP_MS = 3000;
