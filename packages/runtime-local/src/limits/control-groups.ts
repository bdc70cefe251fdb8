import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Diagnostic, RunLimits } from "@skillwright/core";
import { type Controller, ownControlGroups } from "./control-group-hierarchies.js";
import { groupName, sweepGroups } from "./group-names.js";
import { limitReached } from "./limit-diagnostics.js";

export type GroupLimit = "memoryBytes" | "processes" | "cpu";

/** Limits the processes of one run together. */
export interface ControlGroup {
  /** Files to which a thread writes "0" in order to join the group, together with everything it starts. */
  readonly joins: readonly string[];
  /** The limits that the run reached. */
  diagnostics(): readonly Diagnostic[];
  /** Call it when no process is left. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  readonly limits: readonly GroupLimit[];
  open(limits: Pick<RunLimits, GroupLimit>): ControlGroup;
}

const CONTROLLERS: Readonly<Record<GroupLimit, Controller>> = {
  memoryBytes: "memory",
  processes: "pids",
  cpu: "cpu",
};

/** The launcher and the first process inside are counted together with the command's own. */
const LAUNCHER_PROCESSES = 2;
/** The kernel's default. */
const CPU_PERIOD_US = 100_000;

/**
 * Determined by creating a group with every limit and removing it again; limits that fail are not offered. Requires
 * root.
 */
export function findControlGroups(parents = ownControlGroups()): ControlGroups {
  for (const parent of parents.values()) sweepGroups(parent);
  const trial = { memoryBytes: 64 * 1024 * 1024, processes: 16, cpu: 0.5 };
  const limits = (["memoryBytes", "processes", "cpu"] as const).filter((limit) => {
    const parent = parents.get(CONTROLLERS[limit]);
    return parent !== undefined && works(parent, limit, trial[limit]);
  });
  return { limits, open: (wanted) => openGroup(parents, wanted) };
}

function works(parent: string, limit: GroupLimit, value: number): boolean {
  const group = join(parent, groupName());
  try {
    mkdirSync(group);
  } catch {
    return false;
  }
  try {
    setLimit(group, limit, value);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(group);
  }
}

function openGroup(
  parents: ReadonlyMap<Controller, string>,
  wanted: Pick<RunLimits, GroupLimit>,
): ControlGroup {
  const groups = new Map<GroupLimit, string>();
  const name = groupName();
  for (const [limit, controller] of Object.entries(CONTROLLERS) as [GroupLimit, Controller][]) {
    const value = wanted[limit];
    const parent = parents.get(controller);
    if (value === undefined || parent === undefined) continue;
    const group = join(parent, name);
    mkdirSync(group);
    groups.set(limit, group);
    setLimit(group, limit, value);
  }
  return {
    joins: [...groups.values()].map((group) => join(group, "tasks")),
    diagnostics: () =>
      [...groups].filter(([limit, group]) => wasReached(group, limit)).map(([limit]) => limitReached(limit)),
    remove: async () => {
      await Promise.all([...groups.values()].map(removeGroup));
    },
  };
}

function setLimit(group: string, limit: GroupLimit, value: number): void {
  const set = (file: string, text: number) => writeFileSync(join(group, file), String(Math.floor(text)));
  if (limit === "processes") set("pids.max", value + LAUNCHER_PROCESSES);
  else if (limit === "cpu") set("cpu.cfs_quota_us", Math.max(1000, value * CPU_PERIOD_US));
  else {
    set("memory.limit_in_bytes", value);
    // Otherwise the excess goes to swap. A kernel that does not count swap has no such file.
    try {
      set("memory.memsw.limit_in_bytes", value);
    } catch {}
  }
}

function wasReached(group: string, limit: GroupLimit): boolean {
  const count = (file: string, pattern: RegExp) => {
    const match = pattern.exec(readFileSync(join(group, file), "utf8"));
    return Number(match?.[1] ?? 0) > 0;
  };
  if (limit === "memoryBytes") return count("memory.oom_control", /^oom_kill (\d+)/m);
  if (limit === "processes") return count("pids.events", /^max (\d+)/m);
  return false;
}

/** The kernel releases a group shortly after its last process ended; a run waits for that, so the first pauses are short. */
async function removeGroup(group: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY") return;
      await setTimeout(Math.min(10, attempt + 1));
    }
  }
}
