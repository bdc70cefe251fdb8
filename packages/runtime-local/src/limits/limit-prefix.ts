import type { RunLimits } from "@skillwright/core";
import type { LimitMeans, LimitPlan } from "./plan-limits.js";

/** Limits that the kernel keeps for each process by itself; `processes` for all of a user in one user namespace. */
export type ProcessLimits = Pick<RunLimits, "memoryBytes" | "processes" | "openFiles" | "fileBytes">;

/** The sandbox's first process is counted with the command's own. */
const SANDBOX_PROCESSES = 1;

/**
 * What stands before a shell so that it and all it starts are held to the limits, and leave no core dumps, which may hold
 * secrets and fill disks (RES-08). Without other limits bash itself sees to that, before it reads the command's text, or
 * else the system's own shell, which starts quicker than `prlimit`.
 */
export function limitPrefix(
  { memoryBytes, processes, openFiles, fileBytes }: ProcessLimits,
  { prlimit, isolated, hard, noCoreFile }: Pick<LimitMeans, "prlimit" | "isolated" | "hard" | "noCoreFile">,
): Pick<LimitPlan, "prefix" | "env"> {
  // Without isolation a command that asks for a dump gets one: it has all rights of its user anyway.
  const noCore = (isolated ? hard.core : hard.softCore) === 0 ? [] : ["--core=0:0"];
  // Above the hard limit a value could not be set, and is not needed.
  const option = (name: string, value: number | undefined, most: number) =>
    value === undefined ? [] : [`--${name}=${Math.min(value, most)}:${Math.min(value, most)}`];
  const options = [
    // Data rather than address space, of which some interpreters take much more than they use.
    ...option("data", memoryBytes, Number.POSITIVE_INFINITY),
    ...option("nproc", processes && processes + SANDBOX_PROCESSES, hard.processes),
    ...option("nofile", openFiles, hard.openFiles),
    ...option("fsize", fileBytes, hard.fileBytes),
  ];
  if (prlimit && options.length > 0) return { prefix: [prlimit, ...noCore, ...options, "--"], env: {} };
  if (noCore.length === 0) return { prefix: [], env: {} };
  if (noCoreFile !== undefined) return { prefix: [], env: { BASH_ENV: noCoreFile } };
  return { prefix: ["/bin/sh", "-c", 'ulimit -c 0; exec "$@"', "sh"], env: {} };
}
