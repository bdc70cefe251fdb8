import type { Diagnostic } from "@skillwright/core";

export const treeNotCertain: Diagnostic = {
  code: "run.tree-not-certain",
  severity: "warning",
  message: "It is unknown whether every process of the run has ended. Some may still run and change files.",
  hint: "Run commands in a sandbox, where all processes end with the run.",
};

/** A run was left alone by every process. */
export const leaseLapsed: Diagnostic = {
  code: "run.lease-lapsed",
  severity: "error",
  message: "The run was ended because no process that follows it was alive for the length of its lease.",
  hint: "Keep the run and follow it from another process when its host has died, or give the runtime a longer leaseMs.",
};

export function outputLost(why: string): Diagnostic {
  return {
    code: "run.output-lost",
    severity: "warning",
    message: `A part of the output could not be kept (${why}).`,
    hint: "Free space where the workspaces are stored.",
  };
}

/** The command's end was not reported, and neither this process nor a limit ended the run. */
export function outcomeUnknown(treeEnded: boolean): Diagnostic {
  return {
    code: "run.outcome-unknown",
    severity: "error",
    message: `The run was ended from outside, so it is unknown how its command ended.${
      treeEnded ? "" : " It is also unknown whether it still runs."
    }`,
    hint: "Another process may have destroyed the workspace, or the system may have been short of memory.",
  };
}

/** Reports a file system of the run that ran out of space or inodes. */
export function spaceFull(path: string): Diagnostic {
  return {
    code: "limit.tmp-reached",
    severity: "warning",
    message: `The run's own ${path} was full when the command ended; further data was not written.`,
    hint: "Write large or many files to work/, and remove unneeded files from there.",
  };
}
