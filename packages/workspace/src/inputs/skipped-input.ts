import type { Diagnostic } from "@skillwright/core";

/** Reports a part of a directory that is not copied. */
export function inputSkipped(from: string, path: string, why: string): Diagnostic {
  const shown = JSON.stringify(path.slice(0, 200));
  return {
    code: "input.skipped",
    severity: "warning",
    message: `In the input directory ${from.slice(0, 200)}, ${shown} ${why}, so it was left out.`,
    hint: "If it is needed, give a regular file with a plain name as a separate input.",
  };
}

/** Reports a directory without usable files. */
export function inputEmpty(from: string): Diagnostic {
  return {
    code: "input.empty",
    severity: "warning",
    message: `The input directory ${from.slice(0, 200)} contains no regular file, so nothing was staged.`,
    hint: "Check the path.",
  };
}
