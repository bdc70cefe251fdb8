import { totalmem } from "node:os";
import type { Diagnostic, RunLimits } from "@skillwright/core";
import type { NoGroups } from "./no-groups.js";

/** Limits for runs that set none of their own, as far as the machine can enforce them. */
export type DefaultLimits = Readonly<
  Required<Pick<RunLimits, "processes" | "memoryBytes" | "diskBytes" | "inodes" | "cpu">>
>;

/** `undefined` for a limit that runs do not have by default. */
export type ChosenDefaults = { readonly [limit in keyof DefaultLimits]?: number | undefined };

/**
 * Limits that ordinary skills never reach: 256 processes, half of the memory, 2 GiB of disk, 100,000 inodes, one core.
 */
export function defaultLimits(): DefaultLimits {
  // This process may itself be limited to less memory than the machine has; 0 or a greater value means no limit.
  const own = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  const memory = Math.min(totalmem(), own);
  return {
    processes: 256,
    memoryBytes: Math.floor(memory / 2),
    diskBytes: 2 * 1024 ** 3,
    inodes: 100_000,
    cpu: 1,
  };
}

/** A single diagnostic for all default limits that this machine cannot enforce. */
export function defaultsNotEnforced(
  defaults: ChosenDefaults,
  enforced: readonly (keyof RunLimits)[],
  noGroups?: NoGroups,
): readonly Diagnostic[] {
  const missing = (Object.keys(defaults) as (keyof DefaultLimits)[]).filter(
    (name) => defaults[name] !== undefined && !enforced.includes(name),
  );
  if (missing.length === 0) return [];
  const { why, remedy } = noGroups ?? {
    why: "this machine does not support them",
    remedy: "Run commands in a sandbox",
  };
  return [
    {
      code: "limit.default-not-enforced",
      severity: "warning",
      message: `The default limits ${missing.join(", ")} of runs are not enforced: ${why}.`,
      hint: `${remedy}.`,
    },
  ];
}
