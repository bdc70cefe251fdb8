import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ignoreGone, isGone } from "../files/errno.js";
import { isDead, isOwnMachine } from "../files/process-mark.js";
import { replaceFile } from "../files/replace-file.js";

const NAME = "lease.json";

/** The current or last holder of a workspace. Read and written only under the directory's lock. */
export interface LeaseFile {
  readonly formatVersion: 1;
  readonly token: number;
  /** Identifies the process and the lease. Missing when it was released. */
  readonly holder?: string;
  readonly forMs: number;
  /** Milliseconds since 1970; for other machines, whose clock may differ. */
  readonly until: number;
  /** The same time on the clock that counts from this machine's boot, which cannot be set. */
  readonly untilUptime: number;
}

/** `undefined` where there was none, or an unreadable one, which no live process of this release writes. */
export async function readLease(folder: string): Promise<LeaseFile | undefined> {
  try {
    const lease = JSON.parse(await readFile(join(folder, NAME), "utf8")) as LeaseFile;
    return lease.formatVersion === 1 && Number.isSafeInteger(lease.token) ? lease : undefined;
  } catch (error) {
    if (isGone(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Records that the process holds the lease for `forMs` from now. */
export async function writeHeldLease(
  folder: string,
  lease: { token: number; holder: string; forMs: number },
): Promise<void> {
  const { forMs } = lease;
  const until = Date.now() + forMs;
  await write(folder, { formatVersion: 1, ...lease, until, untilUptime: uptimeMs() + forMs });
}

/** Records that the lease is free. The token is kept, so that the next one is greater. */
export async function writeFreeLease(folder: string, token: number): Promise<void> {
  await write(folder, { formatVersion: 1, token, forMs: 0, until: 0, untilUptime: 0 });
}

export async function removeLease(folder: string): Promise<void> {
  await unlink(join(folder, NAME)).catch(ignoreGone);
}

/**
 * True while its holder may be working. On this machine an ended holder holds nothing, even if its process id was
 * reused, and expiry is measured with a clock that neither jumps nor counts suspended time.
 */
export async function isHeld({ holder, forMs, until, untilUptime }: LeaseFile): Promise<boolean> {
  if (holder === undefined) return false;
  if (!(await isOwnMachine(holder))) return Date.now() < until;
  const left = untilUptime - uptimeMs();
  // A remaining time clearly above the granted one is from before a reboot.
  if (left <= 0 || left > forMs + 1000) return false;
  return !(await isDead(holder, "", Number.POSITIVE_INFINITY));
}

function uptimeMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function write(folder: string, lease: LeaseFile): Promise<void> {
  await replaceFile(join(folder, NAME), JSON.stringify(lease));
}
