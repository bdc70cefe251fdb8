import type { Diagnostic } from "@skillwright/core";
import { findProgram } from "./find-program.js";

/** What reads the command's text, which stands after the arguments as one of its own. */
export interface Shell {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Bash without its start-up files, so that neither the user's nor a command's earlier ones change what a command means. */
export async function findShell(directories?: readonly string[]): Promise<Shell> {
  const bash = await findProgram("bash", directories);
  if (bash) return { program: bash, arguments: ["--noprofile", "--norc", "-c"], diagnostics: [] };
  const diagnostic: Diagnostic = {
    code: "shell.no-bash",
    severity: "warning",
    message: "There is no bash on this machine; sh reads the command.",
    hint: "Install bash, or keep to what POSIX says of the shell.",
  };
  return { program: "/bin/sh", arguments: ["-c"], diagnostics: [diagnostic] };
}
