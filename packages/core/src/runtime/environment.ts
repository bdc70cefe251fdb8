import type { Secret } from "../secret.js";
import { SkillError } from "../skill-error.js";

/**
 * Variables that make a loader, shell or interpreter run or load something before the command's own program does. A
 * command that needs one sets it in its own text, where it is visible.
 */
const STEERING = new RegExp(
  `^(${[
    "LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|OPENSSL_(CONF.*|ENGINES|MODULES)",
    "BASH_ENV|ENV|BASH_FUNC_.*|BASH_LOADABLES_PATH|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH",
    "NODE_OPTIONS|NODE_PATH|LUA_INIT.*|(JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS",
    "PYTHON(STARTUP|PATH|HOME|BREAKPOINT|USERBASE|EXECUTABLE)",
    "PERL5(OPT|LIB|DB)|PERLLIB|RUBY(OPT|LIB)",
    "GIT_(SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF|CONFIG.*|ASKPASS|PROXY_COMMAND)",
  ].join("|")})$`,
);

/**
 * Checks a variable that a caller or a skill passes to a run.
 * @throws SkillError `INPUT_INVALID` for a name that is not POSIX (letters, digits, `_`, no leading digit), a NUL in
 * the value, or a variable that steers the loader or an interpreter.
 */
export function checkEnvironmentVariable(name: string, value: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw invalid(name, "its name must consist of letters, digits and _");
  if (STEERING.test(name)) throw invalid(name, "it could make the loader or an interpreter run other code");
  if (value.includes("\0")) throw invalid(name, "its value contains a NUL character");
}

/**
 * The text of a variable that a caller passes to a run. A secret of another copy of this package counts too.
 * @throws SkillError `INPUT_INVALID` for any other value.
 */
export function variableText(name: string, value: string | Secret): string {
  const { reveal } = Object(value) as Partial<Secret>;
  const text: unknown = typeof reveal === "function" ? reveal.call(value) : value;
  if (typeof text === "string") return text;
  throw invalid(name, "its value is neither text nor a Secret");
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
