import type { Diagnostic } from "@skillwright/core";

export const treeNotCertain: Diagnostic = {
  code: "run.tree-not-certain",
  severity: "warning",
  message:
    "Nothing proves that every process of the run has ended. Some may still be there and change files.",
  hint: "Run commands in a sandbox, where everything ends with the run.",
};

/** The command's end was not reported, and neither this process nor a limit ended the run. */
export function outcomeUnknown(treeEnded: boolean): Diagnostic {
  return {
    code: "run.outcome-unknown",
    severity: "error",
    message: `Something outside ended the run, so how its command ended is not known.${
      treeEnded ? "" : " Nor is it known whether it still runs."
    }`,
    hint: "Another process may have destroyed the workspace, or the system may have been short of memory.",
  };
}
