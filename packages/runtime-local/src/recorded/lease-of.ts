import { SkillError } from "@skillwright/core";
import type { LocalRuntimeOptions } from "../local-runtime-options.js";

/** @throws SkillError `CONFIG_INVALID`. */
export function leaseOf({ leaseMs = 60_000 }: Pick<LocalRuntimeOptions, "leaseMs">): number {
  if (Number.isInteger(leaseMs) && leaseMs > 0 && leaseMs < 2 ** 31) return leaseMs;
  throw new SkillError(
    "CONFIG_INVALID",
    `leaseMs is ${leaseMs}. Give a whole number of milliseconds, such as 60000.`,
  );
}
