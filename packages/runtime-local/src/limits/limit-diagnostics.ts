import type { Diagnostic, RunLimits } from "@skillwright/core";

/** Maximum size of one file of a run. */
export interface FileLimit {
  /** The limit that applies to a single file: `fileBytes`, or `diskBytes` where that is smaller. */
  readonly name: "fileBytes" | "diskBytes";
  readonly bytes: number;
}

/** @param found The measured value, for a limit that is watched. */
export function limitReached(limit: keyof RunLimits, found?: string): Diagnostic {
  const [what, hint] = REACHED[limit] ?? [`It reached its limit of ${limit}`, "Raise the limit."];
  const more = found === undefined ? "" : ` (${found})`;
  return { code: `limit.${limit}-reached`, severity: "warning", message: `${what}${more}.`, hint };
}

/** Reports a run that left more than a watched limit allows. @param found The measured value. */
export function leftOver(limit: "diskBytes" | "inodes", found: string): Diagnostic {
  const { code, severity, hint } = limitReached(limit);
  const what = limit === "inodes" ? "more files than" : "more than";
  const message = `The workspace held ${what} it was allowed when the run had ended (${found}).`;
  return { code, severity, message, hint };
}

export function fileFull({ name, bytes }: FileLimit): Diagnostic {
  return {
    code: `limit.${name}-reached`,
    severity: "warning",
    message: `A file of the run reached ${bytes} bytes, the most that its limit of ${name} allows, and took nothing more.`,
    hint: `Write smaller files, or raise ${name}.`,
  };
}

/** Reports a file system of the run that ran out of space or inodes. */
export function spaceFull(path: string): Diagnostic {
  return {
    code: "limit.tmp-reached",
    severity: "warning",
    message: `The run's own ${path} was full when the command ended, and took nothing more.`,
    hint: "Write large or many files to work/, and remove from there what is no longer needed.",
  };
}

const REACHED: Partial<Record<keyof RunLimits, readonly [string, string]>> = {
  memoryBytes: [
    "The command needed more memory than it was allowed, and the system ended a process of it",
    "Raise memoryBytes, or work on the input in parts.",
  ],
  processes: [
    "The command reached the number of processes that it may have at once",
    "Raise processes, or start fewer at a time.",
  ],
  diskBytes: [
    "The workspace held more than it was allowed, so the run was ended",
    "Remove what is not needed from work/, out/ and runs/, or raise diskBytes.",
  ],
  inodes: [
    "The workspace, or the run's own /tmp and /dev/shm, held more files than allowed, so the run was ended",
    "Remove what is not needed from work/, out/ and runs/, write fewer files, or raise inodes.",
  ],
};

/** Reports a limit, requested with `bestEffort`, that cannot be enforced here. */
export function limitNotEnforced(limit: keyof RunLimits, value: number, why: string): Diagnostic {
  return {
    code: "limit.not-enforced",
    severity: "warning",
    message: `The limit ${limit} of ${value} was not enforced: ${why}.`,
    hint: "Use a runtime whose capabilities name this limit, or do without it.",
  };
}

/** Reports that a limit on the run's memory applies to each process instead. */
export function limitPerProcess(limit: keyof RunLimits, value: number): Diagnostic {
  return {
    code: "limit.per-process",
    severity: "warning",
    message: `The limit ${limit} of ${value} held for each process by itself and not for all together.`,
    hint: "Use a runtime whose capabilities name this limit, such as one of a root host with control groups.",
  };
}

/** Reports the restrictions of a watched limit that a caller requested. */
export function limitBestEffort(limit: keyof RunLimits, value: number): Diagnostic {
  return {
    code: "limit.best-effort",
    severity: "info",
    message: `The limit ${limit} of ${value} is best effort: it is measured at intervals, and more may be taken in between.`,
    hint: "Use a file system with quotas where not one byte more may be taken.",
  };
}

/** Reports a watched disk limit that commands can bypass. */
export function limitWatched(limit: keyof RunLimits, value: number, isolated: boolean): Diagnostic {
  const how = isolated
    ? "between two looks one file could outgrow it, because nothing on this machine sets limits of each process"
    : "nothing kept the command from writing elsewhere";
  return {
    code: "limit.watched",
    severity: "warning",
    message: `The limit ${limit} of ${value} was watched, but ${how}.`,
    hint: isolated
      ? "Install util-linux, whose prlimit sets them."
      : "Run it in a sandbox, where a command can write only into its workspace.",
  };
}
