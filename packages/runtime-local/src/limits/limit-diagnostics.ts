import type { Diagnostic, RunLimits } from "@skillwright/core";
import type { NoGroups } from "./no-groups.js";

/** Maximum size of one file of a run. */
export interface FileLimit {
  /** The limit that applies to a single file: `fileBytes`, or `diskBytes` where that is smaller. */
  readonly name: "fileBytes" | "diskBytes";
  readonly bytes: number;
}

/** @param found The measured value, for a limit that is watched. */
export function limitReached(limit: keyof RunLimits, found?: string): Diagnostic {
  const [what, hint] = REACHED[limit] ?? [`The run reached its limit of ${limit}`, "Raise the limit."];
  const more = found === undefined ? "" : ` (${found})`;
  return { code: `limit.${limit}-reached`, severity: "warning", message: `${what}${more}.`, hint };
}

/** Reports a run that left more than a watched limit allows. @param found The measured value. */
export function leftOver(limit: "diskBytes" | "inodes", found: string): Diagnostic {
  const { code, severity, hint } = limitReached(limit);
  const what = limit === "inodes" ? "more files than" : "more than";
  const message = `The workspace contained ${what} allowed when the run ended (${found}).`;
  return { code, severity, message, hint };
}

export function fileFull({ name, bytes }: FileLimit): Diagnostic {
  return {
    code: `limit.${name}-reached`,
    severity: "warning",
    message: `A file of the run reached ${bytes} bytes, its limit of ${name}; further data was not written.`,
    hint: `Write smaller files, or raise ${name}.`,
  };
}

const REACHED: Partial<Record<keyof RunLimits, readonly [string, string]>> = {
  memoryBytes: [
    "The command exceeded its memory limit, and the system killed one of its processes",
    "Raise memoryBytes, or process the input in parts.",
  ],
  processes: [
    "The command reached its limit of concurrent processes",
    "Raise processes, or start fewer at a time.",
  ],
  diskBytes: [
    "The workspace exceeded its limit of diskBytes, so the run was ended",
    "Remove unneeded files from work/, out/ and runs/, or raise diskBytes.",
  ],
  inodes: [
    "The workspace, or the run's own /tmp and /dev/shm, contained more files than allowed, so the run was ended",
    "Remove unneeded files from work/, out/ and runs/, write fewer files, or raise inodes.",
  ],
};

/** Reports a limit, requested with `bestEffort`, that cannot be enforced here. */
export function limitNotEnforced(limit: keyof RunLimits, value: number, why: string): Diagnostic {
  return {
    code: "limit.not-enforced",
    severity: "warning",
    message: `The limit ${limit} of ${value} was not enforced: ${why}.`,
    hint: "Use a runtime whose capabilities include this limit, or remove the limit.",
  };
}

/** Reports that a limit on the run's memory applies to each process instead. */
export function limitPerProcess(limit: keyof RunLimits, value: number, noGroups?: NoGroups): Diagnostic {
  const why = noGroups === undefined ? "" : `: ${noGroups.why}`;
  return {
    code: "limit.per-process",
    severity: "warning",
    message: `The limit ${limit} of ${value} was enforced for each process separately, not for all together${why}.`,
    hint: `${noGroups?.remedy ?? "Use a runtime whose capabilities include this limit"}.`,
  };
}

/** Reports the restrictions of a watched limit that a caller requested. */
export function limitBestEffort(limit: keyof RunLimits, value: number): Diagnostic {
  return {
    code: "limit.best-effort",
    severity: "info",
    message: `The limit ${limit} of ${value} is best effort: usage is measured at intervals, and may exceed the limit in between.`,
    hint: "Use a file system with quotas if the limit must never be exceeded.",
  };
}

/** Reports a watched disk limit that commands can bypass. */
export function limitWatched(limit: keyof RunLimits, value: number, isolated: boolean): Diagnostic {
  const how = isolated
    ? "a single file could exceed it between two measurements, because this machine cannot set limits per process"
    : "the command could also write outside its workspace";
  return {
    code: "limit.watched",
    severity: "warning",
    message: `The limit ${limit} of ${value} was monitored, but ${how}.`,
    hint: isolated
      ? "Install util-linux, which contains prlimit."
      : "Run it in a sandbox, where a command can write only into its workspace.",
  };
}
