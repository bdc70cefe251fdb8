import { type Secret, SkillError } from "@skillwright/core";
import { checkEnvironmentVariable, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

const MAX_BYTES = 32 * 1024;

/** Set for every run; callers cannot set them. */
const OWN_VARIABLES = new Set(
  "WORKSPACE_DIR SKILLS_DIR WORK_DIR INPUTS_DIR OUTPUT_DIR RUN_DIR SKILL_NAME SKILL_DIR CLAUDE_SKILL_DIR".split(
    " ",
  ),
);

/** True for the workspace's own variables, which callers cannot set. */
export function isOwnVariable(name: string): boolean {
  return OWN_VARIABLES.has(name);
}

type Variables = Readonly<Record<string, string | Secret>>;

/** The workspace's own variables, with absolute paths as the commands see them, and the caller's. */
export function runEnvironment(
  place: { root: string; runId: string; skill: string | undefined },
  caller: Variables = {},
): Variables {
  const { root, runId, skill } = place;
  const directory = `${root}/${WORKSPACE_LAYOUT.skills}/${skill}`;
  return {
    ...caller,
    WORKSPACE_DIR: root,
    SKILLS_DIR: `${root}/${WORKSPACE_LAYOUT.skills}`,
    WORK_DIR: `${root}/${WORKSPACE_LAYOUT.work}`,
    INPUTS_DIR: `${root}/${WORKSPACE_LAYOUT.inputs}`,
    OUTPUT_DIR: `${root}/${WORKSPACE_LAYOUT.out}`,
    RUN_DIR: `${root}/${WORKSPACE_LAYOUT.runs}/${runId}`,
    // Skills written for Claude Code use the last of these names.
    ...(skill !== undefined && { SKILL_NAME: skill, SKILL_DIR: directory, CLAUDE_SKILL_DIR: directory }),
  };
}

/**
 * Validates the caller's variables before anything is staged. Values of secrets are not read here.
 * @throws SkillError `INPUT_INVALID` for a variable that is the workspace's own or that core refuses, and for a value
 * that is not text; `LIMIT_EXCEEDED` above 32 KiB of names and values.
 */
export function checkRunEnvironment(caller: Variables): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(caller)) {
    if (isOwnVariable(name)) throw ownVariable(name);
    if (typeof value !== "string" && typeof (value as Partial<Secret> | null)?.reveal !== "function")
      throw notText(name);
    const text = typeof value === "string" ? value : "";
    checkEnvironmentVariable(name, text);
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
  }
  if (bytes <= MAX_BYTES) return;
  throw new SkillError(
    "LIMIT_EXCEEDED",
    `The variables have ${bytes} bytes together; at most ${MAX_BYTES} are allowed. Put large values into a file in work/ or into stdin.`,
    { details: { limit: MAX_BYTES, bytes } },
  );
}

function ownVariable(name: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `The variable "${name}" is set by the workspace for every run. Leave it out, or choose another name.`,
    { details: { variable: name } },
  );
}

function notText(name: string): SkillError {
  const shown = JSON.stringify(name.slice(0, 80));
  return new SkillError(
    "INPUT_INVALID",
    `The value of the variable ${shown} is neither a string nor a Secret. Give a string.`,
    {
      details: { variable: name.slice(0, 80) },
    },
  );
}
