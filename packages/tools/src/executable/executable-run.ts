import {
  containedPath,
  type Diagnostic,
  type JsonObject,
  type Skill,
  SkillError,
  type SkillExecutable,
  type WorkspaceRun,
} from "@skillwright/core";
import { steersPrograms } from "../policy/policy-environment.js";

/** Larger values are passed on stdin only, so that the environment stays within 32 KiB. */
const MAX_VARIABLE_BYTES = 2048;
const MAX_VARIABLES = 10;

/**
 * Creates the run of an executable skill, in its directory. All parameters are passed on stdin as one JSON
 * object. Each is also in `SKILL_PARAM_<NAME>`, text as is and anything else as JSON, if it has at most 2 KiB
 * and no NUL, and if other programs do not use a variable of that name.
 * @throws SkillError `SKILL_INVALID` where the entry is not a file of the skill or the runtime is not a program's name.
 */
export function executableRun(
  skill: Skill,
  executable: SkillExecutable,
  parameters: JsonObject,
): { readonly run: WorkspaceRun; readonly diagnostics: readonly Diagnostic[] } {
  const { timeoutMs } = executable;
  const { env, left } = variables(parameters);
  const run: WorkspaceRun = {
    skill: skill.name,
    command: command(skill, executable),
    stdin: `${JSON.stringify(parameters)}\n`,
    env,
    timeoutMs: timeoutMs || undefined,
    outputs: { globs: ["out/**"] },
  };
  return { run, diagnostics: left.length === 0 ? [] : [onlyOnStdin(left)] };
}

function command({ name, manifest }: Skill, { runtime, entry }: SkillExecutable): string {
  const invalid = (what: string): SkillError =>
    new SkillError(
      "SKILL_INVALID",
      `The skill "${name}" cannot be called: ${what}. Correct its field executable.`,
    );
  // Without a runtime, the entry is the command as its author wrote it.
  if (runtime === undefined) return entry;
  if (!/^[\w.+/-]+( [\w.+=/-]+)*$/.test(runtime))
    throw invalid(`the runtime ${JSON.stringify(runtime)} is not a program`);
  const path = containedPath(entry.replace(/^(\.\/)+/, ""));
  if (!manifest.files.some((file) => file.path === path))
    throw invalid(`it has no file ${JSON.stringify(path)}`);
  return `${runtime} '${path.replaceAll("'", "'\\''")}'`;
}

function variables(parameters: JsonObject): { env: Record<string, string>; left: readonly string[] } {
  const env: Record<string, string> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const variable = `SKILL_PARAM_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const fits =
      Buffer.byteLength(text) <= MAX_VARIABLE_BYTES && !text.includes("\0") && !steersPrograms(variable);
    if (fits && !Object.hasOwn(env, variable) && Object.keys(env).length < MAX_VARIABLES)
      env[variable] = text;
    else left.push(name);
  }
  return { env, left };
}

function onlyOnStdin(names: readonly string[]): Diagnostic {
  return {
    code: "parameter.stdin-only",
    severity: "info",
    message: `${names.join(", ")}: on standard input only, not in a variable.`,
    hint: "Let the script read its parameters as JSON from standard input.",
  };
}
