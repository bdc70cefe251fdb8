import type { Diagnostic } from "@skillwright/core";

/** Reports a part of a directory that is not copied. */
export function inputSkipped(from: string, path: string, why: string): Diagnostic {
  const shown = JSON.stringify(path.slice(0, 200));
  return {
    code: "input.skipped",
    severity: "warning",
    message: `Of the input directory ${from.slice(0, 200)}, ${shown} ${why} and was left out.`,
    hint: "Give a regular file with a plain name, as an input of its own where it is needed.",
  };
}

/** Reports a directory without usable files. */
export function inputEmpty(from: string): Diagnostic {
  return {
    code: "input.empty",
    severity: "warning",
    message: `The input directory ${from.slice(0, 200)} holds no regular file, so nothing was brought in.`,
    hint: "Look whether the path is the one that was meant.",
  };
}
