import { spawn } from "node:child_process";
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { findProgram } from "../host/find-program.js";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { groupName, sweepGroups } from "../limits/group-names.js";
import { endGroup } from "./end-group.js";

/** Makes control groups by which runs are ended; one a run, never used again. */
export interface RunGroups {
  open(): RunGroup;
}

/** The processes of one run, however they detach themselves. */
export interface RunGroup {
  readonly name: string;
  /**
   * Does what starts a process, so that the process is in the group before it does anything. A child begins in the group
   * of the thread that forks it; to move that thread there and back costs some 10 microseconds, because a thread that moves
   * itself needs no lock, where moving another process waits some 10 ms for all of the kernel's processors.
   */
  start<T>(start: () => T): T;
  /** Ends what is left in the group, and tells whether nothing is. */
  end(): Promise<boolean>;
}

/**
 * Found by ending a process in such a group; `undefined` where that does not go well. Takes version 1 of control groups:
 * in version 2 a thread cannot move by itself.
 * @param parent This process's own group in the freezer's hierarchy.
 */
export async function findRunGroups(parent: string | undefined): Promise<RunGroups | undefined> {
  if (parent === undefined) return undefined;
  sweepGroups(parent);
  return (await works(parent)) ? { open: () => openGroup(parent) } : undefined;
}

async function works(parent: string): Promise<boolean> {
  const sleep = await findProgram("sleep");
  if (!sleep) return false;
  let group: RunGroup | undefined;
  try {
    group = openGroup(parent);
    const child = group.start(() => spawn(sleep, ["60"], { stdio: "ignore", env: TOOL_ENVIRONMENT }));
    const exited = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    const members = readFileSync(join(parent, group.name, "cgroup.procs"), "latin1").trim();
    const ended = (await group.end()) && members === String(child.pid);
    child.kill("SIGKILL");
    await exited;
    return ended;
  } catch {
    await group?.end();
    return false;
  }
}

function openGroup(parent: string): RunGroup {
  const directory = join(parent, groupName());
  mkdirSync(directory);
  return {
    name: basename(directory),
    start: (start) => startIn(directory, parent, start),
    end: () => endGroup(directory),
  };
}

function startIn<T>(directory: string, home: string, start: () => T): T {
  const back = openTasks(home);
  try {
    moveThread(directory);
    try {
      return start();
    } finally {
      writeSync(back, THIS_THREAD);
    }
  } finally {
    closeSync(back);
  }
}

const THIS_THREAD = "0";

function moveThread(group: string): void {
  const descriptor = openTasks(group);
  try {
    writeSync(descriptor, THIS_THREAD);
  } finally {
    closeSync(descriptor);
  }
}

function openTasks(group: string): number {
  return openSync(join(group, "tasks"), constants.O_WRONLY);
}
