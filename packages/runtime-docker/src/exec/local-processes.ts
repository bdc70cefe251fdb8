import { readdirSync, readFileSync } from "node:fs";
import type { WorkspaceContainer } from "../container/workspace-container.js";

/** Numbers as this machine has them. */
export interface LocalProcess {
  readonly user: number;
  readonly group: number;
}

const ATTEMPTS = 5;

/**
 * All processes of a container of an engine on this machine, by its control group: in a fraction of a millisecond, where the
 * engine's own list takes twenty. `undefined` where they are not to be seen, as behind a virtual machine, and where some
 * ended while they were looked at, whose children may have been missed.
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
    // What cannot be read here is for the engine to tell.
  }
  return undefined;
}

/**
 * Which names the container, so that a number of another machine, or of a process that came later, leads nowhere. Nothing in
 * the container can leave it or make others below it: that takes a capability, and those would show as directories.
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

/** Where version 2 of control groups is: beside those of version 1, or alone. */
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
    const [user, group] = [/^Uid:\s+(\d+)/m.exec(status)?.[1], /^Gid:\s+(\d+)/m.exec(status)?.[1]];
    return user === undefined || group === undefined
      ? undefined
      : { user: Number(user), group: Number(group) };
  } catch {
    return undefined;
  }
}
