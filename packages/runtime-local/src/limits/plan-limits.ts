import { type Diagnostic, type RunLimits, SkillError } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";
import type { ControlGroups, GroupLimit } from "./control-groups.js";
import type { ChosenDefaults, DefaultLimits } from "./default-limits.js";
import type { HardLimits } from "./hard-limits.js";
import {
  type FileLimit,
  limitBestEffort,
  limitNotEnforced,
  limitPerProcess,
  limitWatched,
} from "./limit-diagnostics.js";
import type { NoGroups } from "./no-groups.js";
import { type ProcessLimits, processLimits } from "./process-limits.js";

/** The means available to enforce limits. */
export interface LimitMeans {
  readonly groups: ControlGroups | undefined;
  /** Why limits of control groups, or some of them, are missing. */
  readonly noGroups?: NoGroups | undefined;
  /** True where per-process limits can be set that the command cannot raise again. */
  readonly perProcess: boolean;
  /**
   * True where the kernel counts the processes of a sandbox separately, so that a per-process limit applies to them.
   */
  readonly countsProcesses: boolean;
  /** False where a command can write outside its workspace, or survive the end of its run. */
  readonly isolated: boolean;
  readonly hard: HardLimits;
  /** Limits of runs that set none of their own. */
  readonly defaults: ChosenDefaults;
}

export interface LimitPlan {
  /** All limits that are enforced, with defaults. */
  readonly inForce: RunLimits;
  /** Limits for the whole run together. */
  readonly group: Pick<RunLimits, GroupLimit>;
  /** Limits for each process, as `NAME=NUMBER`. */
  readonly each: readonly string[];
  /** Limits enforced by measuring the workspace. */
  readonly watched: Pick<RunLimits, "diskBytes" | "inodes">;
  /** True where the watched limit on bytes is a default. */
  readonly isLenient: boolean;
  /** True where every watched limit is a default. */
  readonly watchesDefaults: boolean;
  /** Limit on the size of one file. */
  readonly file?: FileLimit | undefined;
  /** The limit on processes, where no control group reports that it was reached. */
  readonly processes?: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes", "diskBytes", "inodes"] as const;

export function enforcedLimits(means: LimitMeans): readonly (keyof RunLimits)[] {
  return LIMITS.filter((limit) => meansFor(limit, means) !== undefined);
}

/** The limits that are enforced by measuring. */
export function measuredLimits(means: LimitMeans): readonly (keyof RunLimits)[] {
  return LIMITS.filter((limit) => meansFor(limit, means) === "watch");
}

/**
 * The limits of the run, plus enforceable defaults for those it leaves out.
 * @throws SkillError `INPUT_INVALID` for a limit that is not a positive number, `UNSUPPORTED` for one that is not
 * enforced here.
 */
export function planLimits({ limits = {}, bestEffort }: Partial<RunCommand>, means: LimitMeans): LimitPlan {
  const hard: RunLimits = means.hard;
  const inForce: { -readonly [limit in keyof RunLimits]?: number } = {};
  const group: { -readonly [limit in GroupLimit]?: number } = {};
  const each: { -readonly [limit in keyof ProcessLimits]?: number } = {};
  const diagnostics: Diagnostic[] = [];
  const watched: { diskBytes?: number; inodes?: number } = {};
  for (const limit of LIMITS) {
    const by = meansFor(limit, means);
    const isDefault = limits[limit] === undefined;
    const value =
      limits[limit] ??
      (by && limit in means.defaults ? means.defaults[limit as keyof DefaultLimits] : undefined);
    if (value === undefined) continue;
    checkValue(limit, value);
    if (by === undefined && !bestEffort) throw unsupported(limit, means);
    if (by !== undefined) inForce[limit] = Math.min(value, hard[limit] ?? value);
    if (by === "group") group[limit as GroupLimit] = value;
    else if (by === "each") each[limit as keyof ProcessLimits] = value;
    else if (by === undefined) diagnostics.push(bestEffortFor(limit, value, means));
    if (by === "watch" && !isDefault) diagnostics.push(limitBestEffort(limit, value));
    if (limit === "inodes") watched.inodes = value;
    if (limit === "diskBytes") {
      watched.diskBytes = value;
      if (means.perProcess) each.fileBytes = Math.min(value, each.fileBytes ?? value);
    }
    if (limit === "memoryBytes" && by === undefined && means.perProcess) each.memoryBytes = value;
  }
  return {
    inForce,
    group,
    each: processLimits(each, means.hard),
    watched,
    isLenient: limits.diskBytes === undefined,
    watchesDefaults: limits.diskBytes === undefined && limits.inodes === undefined,
    ...(each.fileBytes !== undefined && { file: fileLimit(each.fileBytes, limits, means.hard) }),
    processes: each.processes,
    diagnostics,
  };
}

/** `undefined` where the machine's own limit is lower. */
function fileLimit(bytes: number, { fileBytes }: RunLimits, hard: HardLimits): FileLimit | undefined {
  return bytes > hard.fileBytes
    ? undefined
    : { name: fileBytes === bytes ? "fileBytes" : "diskBytes", bytes };
}

function meansFor(limit: keyof RunLimits, means: LimitMeans): "group" | "each" | "watch" | undefined {
  const { groups, perProcess, countsProcesses, isolated } = means;
  if (groups?.limits.some((name) => name === limit)) return "group";
  if (limit === "inodes") return isolated ? "watch" : undefined;
  if (!perProcess) return undefined;
  if (limit === "openFiles" || limit === "fileBytes") return "each";
  if (limit === "processes" && countsProcesses) return "each";
  return limit === "diskBytes" && isolated ? "watch" : undefined;
}

function bestEffortFor(
  limit: keyof RunLimits,
  value: number,
  { perProcess, isolated, noGroups }: LimitMeans,
): Diagnostic {
  if (limit === "diskBytes" || limit === "inodes") return limitWatched(limit, value, isolated);
  if (limit === "memoryBytes" && perProcess) return limitPerProcess(limit, value, noGroups);
  return limitNotEnforced(limit, value, noGroups?.why ?? "this runtime does not support it on this machine");
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

function unsupported(limit: keyof RunLimits, means: LimitMeans): SkillError {
  const enforced = enforcedLimits(means);
  const offered = enforced.length > 0 ? `It enforces ${enforced.join(", ")}` : "It enforces none";
  const missing = limit === "memoryBytes" || limit === "cpu" ? means.noGroups : undefined;
  return new SkillError(
    "UNSUPPORTED",
    `The local runtime cannot enforce the limit ${limit} on this machine${missing ? `: ${missing.why}` : ""}. ${offered}. ` +
      `${missing ? `${missing.remedy}. Or leave` : "Leave"} the limit out, or set bestEffort to run without it and get a diagnostic.`,
    { details: { limit, enforced } },
  );
}
