import type { BigIntStats } from "node:fs";

/** Another one whenever the file was written, renamed over or given other rights, as far as its times can tell. */
export function stampOf(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** What a stamp is made of. */
export type Stamp = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** Their stamps are the same: several times as quick as making the texts. */
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
 * False while the file was changed so lately that a further change could leave the same stamp, because the clock of the
 * file system moves in steps: what is read in that time is not to be remembered. `now` is from before the reading.
 */
export function isSettled(stat: BigIntStats, now: number): boolean {
  const step = stat.ctimeNs % 1_000_000_000n === 0n ? COARSE_STEP_MS : STEP_MS;
  return Number(stat.ctimeNs / 1_000_000n) + step < now;
}

/** Linux steps by 1 to 10 ms; file systems that keep whole seconds are known by them. */
const STEP_MS = 100;
const COARSE_STEP_MS = 3000;
