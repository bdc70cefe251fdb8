import type { Diagnostic } from "@skillwright/core";

export const treeNotCertain: Diagnostic = {
  code: "run.tree-not-certain",
  severity: "warning",
  message: "It is unknown whether every process of the run has ended. Some may still run and change files.",
  hint: "Run commands in a sandbox, where all processes end with the run.",
};

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
