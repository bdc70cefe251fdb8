import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdir,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { checkAborted, type LeaseOptions, type WorkspaceLease } from "@skillwright/core/adapter";
import { type HolderNames, isHeldBy, namesIn, uptimeSeconds } from "./lease-holder.js";

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;
const LONGEST_TICK_MS = 20;

/**
 * A lease is a directory with one file in it, named after its holder. It is acquired by renaming such a directory into
 * place, which succeeds only where there is nothing or an empty directory. Any process can remove the file of an ended
 * or expired holder at any time without affecting another one's. Waiting processes poll, since they are not notified
 * when a lease is released.
 */
export async function takeLease(
  path: string,
  workspaceId: string,
  { forMs, waitMs = 0, note = "", finish, signal }: LeaseOptions,
  holderName: HolderNames,
): Promise<WorkspaceLease> {
  const patientUntil = performance.now() + waitMs;
  const wish = { workspaceId, forMs, note, holderName };
  checkAborted(signal);
  // Who holds the lease is read only where it is not free.
  const free = takeNow(path, wish);
  if (free) return free;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    checkAborted(signal);
    const lease = (await isFree(path, finish)) ? takeNow(path, wish) : undefined;
    if (lease) return lease;
    const left = patientUntil - performance.now();
    if (left <= 0) throw heldByAnother(workspaceId);
    await delay(Math.min(pause, Math.ceil(left)), undefined, { signal }).catch(() => checkAborted(signal));
  }
}

async function isFree(path: string, finish: LeaseOptions["finish"]): Promise<boolean> {
  for (const name of namesIn(path)) {
    if (isHeldBy(path, name)) return false;
    const file = join(path, name);
    const note = finish && noteIn(file);
    if (note) await finish?.(note);
    wasDone(() => unlinkSync(file));
  }
  return true;
}

/** Empty where the holder left no note, or another caller has taken over meanwhile. */
function noteIn(file: string): string {
  let note = "";
  wasDone(() => {
    note = readFileSync(file, "utf8");
  });
  return note;
}

interface Wish {
  readonly workspaceId: string;
  readonly forMs: number;
  readonly note: string;
  readonly holderName: HolderNames;
}

/** `undefined` where another process was faster. */
function takeNow(path: string, { workspaceId, forMs, note, holderName }: Wish): WorkspaceLease | undefined {
  const token = Date.now();
  const holder = holderName(token, forMs);
  const prepared = join(dirname(path), `.new-${randomBytes(12).toString("hex")}`);
  mkdirSync(prepared);
  const file = join(prepared, holder);
  try {
    writeFileSync(file, note);
    utimesSync(file, uptimeSeconds(), uptimeSeconds());
    renameSync(prepared, path);
    return leaseOf(path, { workspaceId, token, holder });
  } catch (error) {
    wasDone(() => unlinkSync(file));
    wasDone(() => rmdirSync(prepared));
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function leaseOf(
  path: string,
  { workspaceId, token, holder }: { workspaceId: string; token: number; holder: string },
): WorkspaceLease {
  const file = join(path, holder);
  return {
    workspaceId,
    token,
    renew: async () => wasDone(() => utimesSync(file, uptimeSeconds(), uptimeSeconds())),
    release: async () => {
      // The next token is the time of day, which must be past this one; a timer may fire before the clock ticks.
      while (isAhead(token - Date.now())) await delay(1);
      // Free from here on. Removing a directory makes the thread wait, so nobody waits for it; it fails where another
      // process has taken the lease already.
      if (wasDone(() => unlinkSync(file))) rmdir(path, () => undefined);
    },
  };
}

/** Does not wait for a clock that was set back by more than a tick. */
function isAhead(ms: number): boolean {
  return ms >= 0 && ms <= LONGEST_TICK_MS;
}

function wasDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
