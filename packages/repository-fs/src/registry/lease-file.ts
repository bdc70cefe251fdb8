import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "../files/errno.js";
import { MAKING_PREFIX } from "../files/own-names.js";
import { isDead, isOwnMachine, newProcessMark } from "../files/process-mark.js";

const NAME = "lease.json";

/** Who holds a workspace, or held it last. To be read and written under the folder's lock only. */
export interface LeaseFile {
  readonly formatVersion: 1;
  readonly token: number;
  /** The process, and one lease of it; missing when it was released. */
  readonly holder?: string;
  readonly forMs: number;
  /** Milliseconds since 1970; for other machines, whose clock may differ. */
  readonly until: number;
  /** The same on the clock that counts from this machine's start, which nobody sets. */
  readonly untilUptime: number;
}

/** `undefined` where there was none, or one that cannot be read, which no living process of this release writes. */
export async function readLease(folder: string): Promise<LeaseFile | undefined> {
  try {
    const lease = JSON.parse(await readFile(join(folder, NAME), "utf8")) as LeaseFile;
    return lease.formatVersion === 1 && Number.isSafeInteger(lease.token) ? lease : undefined;
  } catch (error) {
    if (isGone(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Held by that process for `forMs` from now. */
export async function writeHeldLease(
  folder: string,
  lease: { token: number; holder: string; forMs: number },
): Promise<void> {
  const { forMs } = lease;
  const until = Date.now() + forMs;
  await write(folder, { formatVersion: 1, ...lease, until, untilUptime: uptimeMs() + forMs });
}

/** Held by nobody; the token stays, for the next one to be above it. */
export async function writeFreeLease(folder: string, token: number): Promise<void> {
  await write(folder, { formatVersion: 1, token, forMs: 0, until: 0, untilUptime: 0 });
}

export async function removeLease(folder: string): Promise<void> {
  await unlink(join(folder, NAME)).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
}

/**
 * True while its holder may work. On this machine a holder that has ended holds nothing, whatever number its process had
 * (LIFE-04), and time is told by a clock that neither jumps nor counts the machine's sleep.
 */
export async function isHeld({ holder, forMs, until, untilUptime }: LeaseFile): Promise<boolean> {
  if (holder === undefined) return false;
  if (!(await isOwnMachine(holder))) return Date.now() < until;
  const left = untilUptime - uptimeMs();
  // Clearly more than it was given for can only be from before a restart.
  if (left <= 0 || left > forMs + 1000) return false;
  return !(await isDead(holder, "", Number.POSITIVE_INFINITY));
}

function uptimeMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function write(folder: string, lease: LeaseFile): Promise<void> {
  const begun = join(folder, MAKING_PREFIX + (await newProcessMark()));
  try {
    await writeFile(begun, JSON.stringify(lease));
    await rename(begun, join(folder, NAME));
  } catch (error) {
    await unlink(begun).catch(() => undefined);
    throw error;
  }
}
