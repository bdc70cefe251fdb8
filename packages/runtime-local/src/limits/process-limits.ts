import type { RunLimits } from "@skillwright/core";
import type { HardLimits } from "./hard-limits.js";

/**
 * Limits that the kernel enforces per process; `processes` applies to all processes of a user in one user namespace.
 */
export type ProcessLimits = Pick<RunLimits, "memoryBytes" | "processes" | "openFiles" | "fileBytes">;

/** The sandbox's first process is counted together with the command's own. */
const SANDBOX_PROCESSES = 1;

/**
 * The limits as `NAME=NUMBER`, with the names that the supervisor and `prlimit` share. Core dumps are always off: they
 * may contain secrets and fill disks.
 */
export function processLimits(
  { memoryBytes, processes, openFiles, fileBytes }: ProcessLimits,
  hard: HardLimits,
): readonly string[] {
  // A value above the hard limit could not be set, and is not needed.
  const limit = (name: string, value: number | undefined, most: number) =>
    value === undefined ? [] : [`${name}=${Math.min(value, most)}`];
  return [
    "core=0",
    // Data instead of address space, of which some interpreters reserve much more than they use.
    ...limit("data", memoryBytes, Number.POSITIVE_INFINITY),
    ...limit("nproc", processes && processes + SANDBOX_PROCESSES, hard.processes),
    ...limit("nofile", openFiles, hard.openFiles),
    ...limit("fsize", fileBytes, hard.fileBytes),
  ];
}
