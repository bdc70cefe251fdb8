import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "@skillwright/core";
import type { Counter, GroupVersion } from "./group-versions.js";

/** What the processes of a run have used together, as far as the kernel counts it. */
export type GroupUsage = Pick<RunResult, "peakMemoryBytes" | "cpuMs">;

/** @param groups Directories of the groups of one run. */
export function usageOf(groups: readonly string[], { peakMemory, cpuTime }: GroupVersion): GroupUsage {
  const peakMemoryBytes = first(groups, (group) => numberIn(group, peakMemory, /^(\d+)$/m));
  const cpuUs = first(groups, (group) => counted(group, cpuTime));
  return {
    ...(peakMemoryBytes !== undefined && { peakMemoryBytes }),
    ...(cpuUs !== undefined && { cpuMs: cpuUs / 1000 }),
  };
}

/** `undefined` where there is no such counter, or the group is gone because its service or scope was ended from outside. */
export function counted(group: string, counter: Counter | undefined): number | undefined {
  return counter && numberIn(group, counter.file, new RegExp(`^${counter.word} (\\d+)$`, "m"));
}

function first(groups: readonly string[], read: (group: string) => number | undefined): number | undefined {
  return groups.map(read).find((value) => value !== undefined);
}

function numberIn(group: string, file: string, pattern: RegExp): number | undefined {
  try {
    const text = pattern.exec(readFileSync(join(group, file), "utf8"))?.[1];
    return text === undefined ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
