import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTROLLERS, type Controller, controllersIn } from "./control-group-hierarchies.js";

/** The group below a divided group that holds the processes of the divided group. */
const LEAF = "host";
/** Processes that fork meanwhile are moved by the next attempt. */
const MOST_ATTEMPTS = 100;

/** True if this process may create groups below this group and move processes into them. */
export function isWritable(group: string): boolean {
  try {
    for (const file of ["", "cgroup.procs", "cgroup.subtree_control"])
      accessSync(join(group, file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Prepares a group of version 2 to be the parent of others: a group with processes of its own cannot pass its controllers
 * on, so these move into one below it. Returns the controllers that groups below it have.
 */
export function divideGroup(group: string): readonly Controller[] {
  // The root of the hierarchy may have both processes and controllers.
  const isRoot = !existsSync(join(group, "cgroup.type"));
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // First of all: `cpu` and `pids` are passed on beside processes too, but these can then no longer be moved.
    if (!isRoot && moveProcesses(group)) continue;
    passOn(group);
    if (isRoot || processesIn(group).length === 0) break;
  }
  return controllersIn(group, "cgroup.subtree_control");
}

/** Passes each controller on separately, because the kernel may refuse a single one, such as `cpu` while a process runs in real time. */
function passOn(group: string): void {
  const passed = controllersIn(group, "cgroup.subtree_control");
  for (const controller of CONTROLLERS) {
    if (passed.includes(controller)) continue;
    try {
      writeFileSync(join(group, "cgroup.subtree_control"), `+${controller}`);
    } catch (error) {
      // A process has come meanwhile.
      if ((error as NodeJS.ErrnoException).code === "EBUSY") return;
    }
  }
}

/** False if there was no process to move. */
function moveProcesses(group: string): boolean {
  const pids = processesIn(group);
  if (pids.length === 0) return false;
  const leaf = join(group, LEAF);
  mkdirSync(leaf, { recursive: true });
  for (const pid of pids) {
    try {
      writeFileSync(join(leaf, "cgroup.procs"), pid);
    } catch {
      // It has ended.
    }
  }
  return true;
}

function processesIn(group: string): readonly string[] {
  return readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
}
