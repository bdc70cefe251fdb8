import { SkillError } from "../skill-error.js";

/** Variables that make a loader, shell or interpreter run or load something before the command's own program does. */
const STEERING =
  /^(LD_.*|DYLD_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|IFS|CDPATH|GCONV_PATH|LOCPATH|OPENSSL_CONF|NODE_OPTIONS|PYTHONSTARTUP|PYTHONHOME|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_SSH_COMMAND)$/;

/**
 * Holds for every variable that a caller or a skill brings into a run.
 * @throws SkillError `INPUT_INVALID` for a name that is not POSIX (letters, digits, `_`, no leading digit), a NUL in the
 *   value, or a variable that steers the loader or an interpreter (TR-13, TR-64).
 */
export function checkEnvironmentVariable(name: string, value: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(name, "its name is not letters, digits and _");
  if (STEERING.test(name)) throw invalid(name, "it would make the loader or an interpreter run other code");
  if (value.includes("\0")) throw invalid(name, "its value contains a NUL character");
}

function invalid(name: string, why: string): SkillError {
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError(
    "INPUT_INVALID",
    `The variable ${shown} is refused: ${why}. Leave it out or rename it.`,
    {
      details: { variable: name.slice(0, 80) },
    },
  );
}
