import { readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";

const ENDING_MS = 5000;
const QUICK_ROUNDS = 20;

/**
 * Ends every process in a group of the freezer's hierarchy and in the groups that were made below it, and removes them
 * all. False when something was left after 5 s, or when this process itself is in there.
 */
export async function endGroup(directory: string): Promise<boolean> {
  const deadline = performance.now() + ENDING_MS;
  for (let rounds = 0; ; rounds++) {
    const groups = groupsIn(directory);
    const members = groups.flatMap(membersOf);
    if (members.length === 0) return removed(groups);
    if (members.includes(process.pid) || performance.now() > deadline) return false;
    killFrozen(directory, groups);
    await (rounds < QUICK_ROUNDS ? setImmediate() : setTimeout(1));
  }
}

/** The group and all below it, those that lie deepest last. */
function groupsIn(directory: string): readonly string[] {
  try {
    const below = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [directory, ...below.flatMap(({ name }) => groupsIn(join(directory, name)))];
  } catch {
    return [];
  }
}

/** Processes that have ended and were not waited for are in no group any more. */
function membersOf(group: string): readonly number[] {
  try {
    const lines = readFileSync(join(group, "cgroup.procs"), "latin1").split("\n");
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Nothing that stands still can start another process meanwhile, and what it starts before that stands still too. */
function killFrozen(directory: string, groups: readonly string[]): void {
  setState(directory, "FROZEN");
  try {
    for (const pid of groups.flatMap(membersOf)) kill(pid);
  } finally {
    // A command may have frozen a group below by itself.
    for (const group of groups) setState(group, "THAWED");
  }
}

function setState(group: string, state: "FROZEN" | "THAWED"): void {
  try {
    writeFileSync(join(group, "freezer.state"), state);
  } catch {
    // It was removed meanwhile, with nothing in it.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had ended already.
  }
}

function removed(groups: readonly string[]): boolean {
  try {
    for (const group of [...groups].reverse()) rmdirSync(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
