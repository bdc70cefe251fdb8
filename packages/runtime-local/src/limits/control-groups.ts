import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Diagnostic, RunLimits } from "@skillwright/core";
import type { Controller } from "./control-group-hierarchies.js";
import { groupNames, sweepGroups } from "./group-names.js";
import {
  CONTROLLER_OF,
  type Counter,
  type GroupLimit,
  type GroupVersion,
  type Setting,
} from "./group-versions.js";
import { limitReached } from "./limit-diagnostics.js";

export type { GroupLimit } from "./group-versions.js";

/** Limits the processes of one run together. */
export interface ControlGroup {
  /** Files to which a thread writes "0" in order to join the group, together with everything it starts. */
  readonly joins: readonly string[];
  /** The limits that the run reached. */
  diagnostics(): readonly Diagnostic[];
  /** Kills what is left in the group and removes it. Call it when the run is over. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  readonly limits: readonly GroupLimit[];
  open(limits: Pick<RunLimits, GroupLimit>): Promise<ControlGroup>;
}

/** The parent groups of new groups, by controller. Version 2 has one parent for all controllers. */
export interface GroupParents {
  readonly version: GroupVersion;
  readonly of: ReadonlyMap<Controller, string>;
}

const LIMITS = ["memoryBytes", "processes", "cpu"] as const;
const TRIAL = { memoryBytes: 64 * 1024 * 1024, processes: 16, cpu: 0.5 };

/**
 * The limits that hold below these parents. Determined by creating a group with every limit and removing it again. Removes
 * what ended hosts left there.
 */
export function limitsBelow({ version, of: parents }: GroupParents): readonly GroupLimit[] {
  for (const parent of new Set(parents.values())) sweepGroups(parent);
  return LIMITS.filter((limit) => {
    const parent = parents.get(CONTROLLER_OF[limit]);
    return parent !== undefined && works(parent, version.settings[limit](TRIAL[limit]));
  });
}

function works(parent: string, settings: readonly Setting[]): boolean {
  const group = join(parent, groupNames()());
  try {
    mkdirSync(group);
  } catch {
    return false;
  }
  try {
    applySettings(group, settings);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(group);
  }
}

/** Creates a group for a run. */
export function openGroup(
  { version, of: parents }: GroupParents,
  wanted: Pick<RunLimits, GroupLimit>,
  name = groupNames()(),
): ControlGroup {
  const groups = new Map<GroupLimit, string>();
  const made = new Set<string>();
  try {
    for (const limit of LIMITS) {
      const value = wanted[limit];
      const parent = parents.get(CONTROLLER_OF[limit]);
      if (value === undefined || parent === undefined) continue;
      const group = join(parent, name);
      if (!made.has(group)) mkdirSync(group);
      made.add(group);
      groups.set(limit, group);
      applySettings(group, version.settings[limit](value));
    }
  } catch (error) {
    for (const group of made) rmdirSync(group);
    throw error;
  }
  return {
    joins: [...made].map((group) => join(group, version.join)),
    diagnostics: () =>
      [...groups]
        .filter(([limit, group]) => wasReached(group, version.reached[limit]))
        .map(([limit]) => limitReached(limit)),
    remove: async () => {
      await Promise.all([...made].map(removeGroup));
    },
  };
}

function applySettings(group: string, settings: readonly Setting[]): void {
  for (const { file, text, isOptional } of settings) {
    try {
      writeFileSync(join(group, file), text);
    } catch (error) {
      if (!isOptional) throw error;
    }
  }
}

/** False where the group is gone, because its service or scope was ended from outside. */
function wasReached(group: string, counter: Counter | undefined): boolean {
  if (counter === undefined) return false;
  try {
    const text = readFileSync(join(group, counter.file), "utf8");
    return Number(new RegExp(`^${counter.word} (\\d+)$`, "m").exec(text)?.[1] ?? 0) > 0;
  } catch {
    return false;
  }
}

/** The kernel releases a group shortly after its last process ended; a run waits for that, so the first pauses are short. */
async function removeGroup(group: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY") return;
      killAll(group);
      await setTimeout(Math.min(10, attempt + 1));
    }
  }
}

/** Groups of version 1, and kernels before 5.14, have no such file: there the supervisor alone ends the run. */
function killAll(group: string): void {
  try {
    // An ordinary user may write the file, but not read it.
    const file = openSync(join(group, "cgroup.kill"), constants.O_WRONLY);
    try {
      writeSync(file, "1");
    } finally {
      closeSync(file);
    }
  } catch {
    // The supervisor ends the run.
  }
}
