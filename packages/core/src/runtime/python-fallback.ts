import type { Diagnostic } from "../diagnostic.js";
import type { RunCommand } from "./run-command.js";

/** A program `python` for the end of PATH where only `python3` is there. It starts the first `python3` of the PATH. */
export const PYTHON_FALLBACK = '#!/bin/sh\nexec python3 "$@"\n';

/** Tells of the fallback where the command's text names `python` and no virtual environment or PATH of its own stands before it. */
export function pythonFallbackDiagnostics({
  command,
  env,
}: Pick<RunCommand, "command" | "env">): readonly Diagnostic[] {
  const hasOwn = "VIRTUAL_ENV" in env || "PATH" in env;
  if (hasOwn || !/(?<![\w./-])python(?![\w./-])/.test(command)) return [];
  return [
    {
      code: "python.is-python3",
      severity: "info",
      message: "The command's environment has `python3` but no `python`, so `python` starts `python3`.",
      hint: "Write python3 in the skill's commands, or install a `python`.",
    },
  ];
}
