import type { Controller } from "./control-group-hierarchies.js";

export type GroupLimit = "memoryBytes" | "processes" | "cpu";

/** How the two versions of control groups name their files. */
export interface GroupVersion {
  /** A thread that writes "0" to this file joins the group, together with everything it starts. */
  readonly join: string;
  readonly settings: Readonly<Record<GroupLimit, (value: number) => readonly Setting[]>>;
  /** The counters that increase when a limit is reached. */
  readonly reached: Readonly<Partial<Record<GroupLimit, Counter>>>;
}

export interface Setting {
  readonly file: string;
  readonly text: string;
  /** True where some kernels have no such file. */
  readonly isOptional?: boolean;
}

export interface Counter {
  readonly file: string;
  /** The word at the start of the line. */
  readonly word: string;
}

export const CONTROLLER_OF: Readonly<Record<GroupLimit, Controller>> = {
  memoryBytes: "memory",
  processes: "pids",
  cpu: "cpu",
};

/** The launcher and the first process inside are counted together with the command's own. */
const LAUNCHER_PROCESSES = 2;
/** The kernel's default. */
const CPU_PERIOD_US = 100_000;
const LEAST_CPU_QUOTA_US = 1000;

const processes = (value: number) => [{ file: "pids.max", text: String(value + LAUNCHER_PROCESSES) }];
const quota = (cores: number) => Math.max(LEAST_CPU_QUOTA_US, Math.floor(cores * CPU_PERIOD_US));
const refusedProcesses = { file: "pids.events", word: "max" };

export const VERSION_2: GroupVersion = {
  join: "cgroup.procs",
  settings: {
    processes,
    // Otherwise the excess goes to swap. A kernel that does not count swap has no such file.
    memoryBytes: (value) => [
      { file: "memory.max", text: String(value) },
      { file: "memory.swap.max", text: "0", isOptional: true },
    ],
    cpu: (cores) => [{ file: "cpu.max", text: `${quota(cores)} ${CPU_PERIOD_US}` }],
  },
  reached: { memoryBytes: { file: "memory.events", word: "oom_kill" }, processes: refusedProcesses },
};

export const VERSION_1: GroupVersion = {
  join: "tasks",
  settings: {
    processes,
    memoryBytes: (value) => [
      { file: "memory.limit_in_bytes", text: String(value) },
      { file: "memory.memsw.limit_in_bytes", text: String(value), isOptional: true },
    ],
    cpu: (cores) => [{ file: "cpu.cfs_quota_us", text: String(quota(cores)) }],
  },
  reached: { memoryBytes: { file: "memory.oom_control", word: "oom_kill" }, processes: refusedProcesses },
};
