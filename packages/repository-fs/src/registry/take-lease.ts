import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, type WorkspaceLease } from "@skillwright/core/adapter";
import { newProcessMark } from "../files/process-mark.js";
import { isHeld, type LeaseFile, readLease, writeFreeLease, writeHeldLease } from "./lease-file.js";
import { inRegistryFolder } from "./registry-folder.js";
import { tidyRegistryFolder } from "./tidy-folder.js";

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;

/** Waits by polling, since processes are not notified when a lease is released. */
export async function takeLease(
  folder: string,
  workspaceId: string,
  { forMs, waitMs = 0, signal }: CallOptions & { forMs: number; waitMs?: number },
): Promise<WorkspaceLease> {
  const patientUntil = performance.now() + waitMs;
  const holder = await newProcessMark();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    checkAborted(signal);
    const before = await readLease(folder);
    // Checked without the lock first, so that waiting processes do not delay the holder.
    if (!before || !(await isHeld(before))) {
      const token = await takeFree(folder, { holder, forMs, signal });
      if (token !== undefined) return leaseOf(folder, { workspaceId, token, holder, forMs });
    }
    const left = patientUntil - performance.now();
    if (left <= 0) throw heldByAnother(workspaceId);
    await delay(Math.min(pause, Math.ceil(left)), undefined, { signal }).catch(() => checkAborted(signal));
  }
}

/** Returns the new token, unless another process was faster. */
async function takeFree(
  folder: string,
  { holder, forMs, signal }: CallOptions & { holder: string; forMs: number },
): Promise<number | undefined> {
  return await inRegistryFolder(folder, signal, async () => {
    const before = await readLease(folder);
    if (before && (await isHeld(before))) return undefined;
    // Greater than all tokens issued before the directory was last removed, too; see `tidyRegistryFolder`.
    const token = Math.max((before?.token ?? 0) + 1, Date.now());
    await writeHeldLease(folder, { token, holder, forMs });
    return token;
  });
}

function leaseOf(
  folder: string,
  {
    workspaceId,
    token,
    holder,
    forMs,
  }: { workspaceId: string; token: number; holder: string; forMs: number },
): WorkspaceLease {
  const isMine = (lease: LeaseFile | undefined): boolean => lease?.token === token && lease.holder === holder;

  async function renew(): Promise<boolean> {
    return await inRegistryFolder(folder, undefined, async () => {
      if (!isMine(await readLease(folder))) return false;
      await writeHeldLease(folder, { token, holder, forMs });
      return true;
    });
  }

  async function release(): Promise<void> {
    await inRegistryFolder(folder, undefined, async () => {
      if (isMine(await readLease(folder))) await writeFreeLease(folder, token);
    });
    await tidyRegistryFolder(folder);
  }

  return { workspaceId, token, renew, release };
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
