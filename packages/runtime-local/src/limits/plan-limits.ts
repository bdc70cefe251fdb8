import { type Diagnostic, type RunCommand, type RunLimits, SkillError } from "@skillwright/core";
import type { ControlGroups, GroupLimit } from "./control-groups.js";
import { hardLimit } from "./hard-limit.js";
import { limitNotEnforced } from "./limit-diagnostics.js";

/** What can hold commands to limits here. */
export interface LimitMeans {
  readonly groups: ControlGroups | undefined;
  /** Absolute path of `prlimit`, where its limits cannot be raised again by the command. */
  readonly prlimit: string | undefined;
}

export interface LimitPlan {
  /** For the whole run together. */
  readonly group: Pick<RunLimits, GroupLimit>;
  /** Stands before the shell: each process inherits these, and none can raise them. */
  readonly prefix: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes"] as const;
const PRLIMIT_OPTIONS = { openFiles: "nofile", fileBytes: "fsize" } as const;

export function enforcedLimits({ groups, prlimit }: LimitMeans): readonly (keyof RunLimits)[] {
  const byGroup = groups?.limits ?? [];
  return LIMITS.filter((limit) => (isPrlimit(limit) ? prlimit !== undefined : byGroup.includes(limit)));
}

/** @throws SkillError `INPUT_INVALID` for a limit that is no positive number, `UNSUPPORTED` for one not enforced here. */
export function planLimits({ limits = {}, bestEffort }: RunCommand, means: LimitMeans): LimitPlan {
  const enforced = enforcedLimits(means);
  const group: { -readonly [limit in GroupLimit]?: number } = {};
  const options: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const limit of LIMITS) {
    const value = limits[limit];
    if (value === undefined) continue;
    checkValue(limit, value);
    if (!enforced.includes(limit)) {
      if (!bestEffort) throw unsupported(limit, enforced);
      diagnostics.push(limitNotEnforced(limit, value, "this runtime has no means for it on this machine"));
    } else if (isPrlimit(limit)) options.push(prlimitOption(limit, value));
    else group[limit] = value;
  }
  const prefix = options.length > 0 && means.prlimit ? [means.prlimit, ...options, "--"] : [];
  return { group, prefix, diagnostics };
}

/** Above the hard limit a value could not be set, and is not needed. */
function prlimitOption(limit: keyof typeof PRLIMIT_OPTIONS, value: number): string {
  const bound = Math.min(value, hardLimit(limit));
  return `--${PRLIMIT_OPTIONS[limit]}=${bound}:${bound}`;
}

function isPrlimit(limit: keyof RunLimits): limit is keyof typeof PRLIMIT_OPTIONS {
  return limit in PRLIMIT_OPTIONS;
}

function checkValue(limit: keyof RunLimits, value: number): void {
  const fits =
    limit === "cpu" ? Number.isFinite(value) && value > 0 : Number.isSafeInteger(value) && value > 0;
  if (fits) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The limit ${limit} is ${value}; it must be a ${limit === "cpu" ? "number of cores" : "whole number"} above 0.`,
    { details: { limit, value } },
  );
}

function unsupported(limit: keyof RunLimits, enforced: readonly string[]): SkillError {
  const offered = enforced.length > 0 ? `It enforces ${enforced.join(", ")}` : "It enforces none";
  return new SkillError(
    "UNSUPPORTED",
    `The local runtime cannot enforce the limit ${limit} on this machine. ${offered}. Leave the limit out, or set ` +
      "bestEffort to run without it and be told so.",
    { details: { limit, enforced } },
  );
}
