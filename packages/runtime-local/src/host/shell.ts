import type { Diagnostic } from "@skillwright/core";
import { findProgram } from "./find-program.js";

/** The program that interprets the command's text, which is passed as the last argument. */
export interface Shell {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Bash without its start-up files, so that files of the user or of earlier commands do not change a command's meaning.
 */
export async function findShell(directories?: readonly string[]): Promise<Shell> {
  const bash = await findProgram("bash", directories);
  if (bash) return { program: bash, arguments: ["--noprofile", "--norc", "-c"], diagnostics: [] };
  const diagnostic: Diagnostic = {
    code: "shell.no-bash",
    severity: "warning",
    message: "This machine has no bash, so sh runs the command.",
    hint: "Install bash, or write commands for the POSIX shell.",
  };
  return { program: "/bin/sh", arguments: ["-c"], diagnostics: [diagnostic] };
}
