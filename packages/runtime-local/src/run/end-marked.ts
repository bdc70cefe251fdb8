import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const MAX_ROUNDS = 200;

/**
 * Ends processes of this user that came after `first` and have the text in the environment they were started with, until
 * none is found. Finds what left its process group, unless it hid itself; only on Linux.
 */
export async function endMarked(mark: string, first: number): Promise<void> {
  if (process.platform !== "linux" || lastProcess() === first) return;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = markedProcesses(Buffer.from(mark), first);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
    await setTimeout(1);
  }
}

function markedProcesses(mark: Buffer, first: number): readonly number[] {
  // Numbers rise, until they begin again from below.
  const isLater = lastProcess() > first ? (pid: number) => pid > first : () => true;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isLater(Number(name)) && hasMark(name, mark))
    .map(Number);
}

/** The number that was given out last. */
function lastProcess(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Zombies have no environment left, and that of other users' processes cannot be read. */
function hasMark(pid: string, mark: Buffer): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}
