import { readdirSync, readFileSync } from "node:fs";
import type { WorkspaceContainer } from "../container/workspace-container.js";

/** Ids as numbered on this machine. */
export interface LocalProcess {
  readonly user: number;
  readonly group: number;
}

const ATTEMPTS = 5;

/**
 * All processes of a container of a local engine, from its control group: this takes a fraction of a millisecond, while
 * the engine's own list takes twenty. `undefined` where they are not visible, as behind a virtual machine, and where
 * some ended during the check, because their children may have been missed.
 */
export function localProcesses({
  engine,
  container,
  mainProcess,
}: WorkspaceContainer): readonly LocalProcess[] | undefined {
  const main = mainProcess();
  if (engine.isRemote || engine.isPodman || process.platform !== "linux" || !main) return undefined;
  try {
    const directory = controlGroup(main, container.id);
    if (directory === undefined) return undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const all = idsIn(directory).map(localProcess);
      if (all.length > 0 && all.every((one) => one !== undefined)) return all;
    }
  } catch {
    // If it cannot be read here, the engine is asked.
  }
  return undefined;
}

/**
 * Its path contains the container's id, so that a process id of another machine, or a reused one, leads nowhere.
 * Nothing in the container can leave it or create groups below it: that takes a capability, and such groups would
 * appear as directories.
 */
function controlGroup(main: number, id: string): string | undefined {
  const lines = readFileSync(`/proc/${main}/cgroup`, "latin1").trim().split("\n");
  for (const line of lines) {
    const [, controllers = "", path = ""] = line.match(/^\d+:([^:]*):(\/.*)$/) ?? [];
    const root = controllers === "" ? unifiedRoot(lines) : `/sys/fs/cgroup/${controllers}`;
    if (!path.includes(id) || (controllers !== "" && controllers !== "pids")) continue;
    const directory = `${root}${path}`;
    const hasOthers = readdirSync(directory, { withFileTypes: true }).some((entry) => entry.isDirectory());
    if (!hasOthers && idsIn(directory).includes(main)) return directory;
  }
  return undefined;
}

/** Mount point of control groups version 2: beside those of version 1, or alone. */
function unifiedRoot(lines: readonly string[]): string {
  return lines.length > 1 ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup";
}

function idsIn(directory: string): readonly number[] {
  const text = readFileSync(`${directory}/cgroup.procs`, "latin1");
  return text.split("\n").filter(Boolean).map(Number);
}

function localProcess(id: number): LocalProcess | undefined {
  try {
    const status = readFileSync(`/proc/${id}/status`, "latin1");
    // A process chooses its name, which may contain a carriage return, but no line feed.
    const [user, group] = [/\nUid:\s+(\d+)/.exec(status)?.[1], /\nGid:\s+(\d+)/.exec(status)?.[1]];
    return user === undefined || group === undefined
      ? undefined
      : { user: Number(user), group: Number(group) };
  } catch {
    return undefined;
  }
}
