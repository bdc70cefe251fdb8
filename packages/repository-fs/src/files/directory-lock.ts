import { readdir, rmdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { ignoreGone, isErrno } from "./errno.js";
import { makeDirectory, removeFile, renamePath, writeText } from "./file-system.js";
import { LOCK_NAME, MAKING_PREFIX } from "./own-names.js";
import { isDead, newProcessMark } from "./process-mark.js";

const PAUSE_MS = 5;
const PATIENCE_MS = 30_000;
/** Interval of the holder's heartbeat, for other machines, which cannot see its process. */
const BEAT_MS = 5000;
const SILENT_MS = 20_000;

const queues = new Map<string, Promise<void>>();

/**
 * Runs the work under an exclusive lock on the directory, across processes of this machine. Intended for the few steps
 * that move something prepared into place. The lock of a killed process is taken over.
 *
 * The lock is a directory with one file named after its holder. It is acquired by renaming such a directory into place,
 * which succeeds only where there is nothing or an empty directory. A dead holder's file can be removed by any process
 * at any time without affecting a live one's.
 * @throws SkillError `BACKEND_FAILED` when another process holds it for half a minute, `ABORTED`.
 */
export async function withDirectoryLock<T>(
  directory: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const before = queues.get(directory) ?? Promise.resolve();
  const turn = before.then(async () => await locked(directory, signal, work));
  const settled = turn.then(nothing, nothing);
  queues.set(directory, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(directory) === settled) queues.delete(directory);
  }
}

/** True while a process that has not ended holds the lock on the directory. */
export async function isLocked(directory: string): Promise<boolean> {
  const lock = join(directory, LOCK_NAME);
  for (const holder of (await readdir(lock).catch(ignoreGone)) ?? [])
    if (!(await isDead(holder, join(lock, holder), SILENT_MS))) return true;
  return false;
}

async function locked<T>(
  directory: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  checkAborted(signal);
  const mark = await newProcessMark();
  const lock = join(directory, LOCK_NAME);
  await take(directory, lock, mark, signal);
  const beat = setInterval(
    () => void utimes(join(lock, mark), new Date(), new Date()).catch(nothing),
    BEAT_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await removeFile(join(lock, mark)).catch(ignoreGone);
    // A caller may remove the directory next, so this is awaited. It fails if another process has taken the lock meanwhile.
    await rmdir(lock).catch(nothing);
  }
}

async function take(
  directory: string,
  lock: string,
  mark: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const prepared = join(directory, MAKING_PREFIX + mark);
  const until = performance.now() + PATIENCE_MS;
  await makeDirectory(prepared);
  await writeText(join(prepared, mark), "");
  try {
    for (;;) {
      if (await isRenamed(prepared, lock)) return;
      if (await freeOfTheDead(lock)) continue;
      checkAborted(signal);
      if (performance.now() > until) throw stuck(lock);
      await delay(PAUSE_MS);
    }
  } catch (error) {
    await removeFile(join(prepared, mark)).catch(ignoreGone);
    await rmdir(prepared).catch(ignoreGone);
    throw error;
  }
}

async function isRenamed(from: string, to: string): Promise<boolean> {
  try {
    await renamePath(from, to);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST")) return false;
    throw error;
  }
}

/** True when the holder was a dead process. */
async function freeOfTheDead(lock: string): Promise<boolean> {
  // A lock that cannot be read is tried again like one that is held.
  const holders = await readdir(lock).catch(() => []);
  for (const holder of holders) {
    const path = join(lock, holder);
    if (!(await isDead(holder, path, SILENT_MS))) continue;
    await removeFile(path).catch(ignoreGone);
    return true;
  }
  return false;
}

function stuck(lock: string): SkillError {
  const message = `Another process has held the lock ${lock} for ${PATIENCE_MS / 1000} seconds. Try again; end that process if it hangs.`;
  return new SkillError("BACKEND_FAILED", message);
}

function nothing(): void {}
