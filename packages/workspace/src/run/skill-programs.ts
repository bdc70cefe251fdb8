import { type RunCommand, type Skill, WORKSPACE_LAYOUT } from "@skillwright/core";

/** The directories in which a skill keeps its own programs. */
export interface SkillPrograms {
  readonly programs: RunCommand["programs"];
  /** The skill's virtual environment, relative to the workspace's root, if it has one. */
  readonly virtualEnvironment: string | undefined;
}

/**
 * The skill's `.venv/bin` precedes the machine's programs, and its `bin` follows them, so that a skill's `git` never
 * replaces the machine's. Both are on PATH, so they apply in every directory. A virtual environment
 * counts only if its `python` is an executable file: in most it is a link to the machine on which it was created.
 */
export function skillPrograms(skill: Pick<Skill, "name" | "manifest"> | undefined): SkillPrograms {
  const has = (directory: string) =>
    skill?.manifest.files.some(({ path }) => path.startsWith(`${directory}/`)) === true;
  const virtual = has(".venv/bin");
  const hasPython = skill?.manifest.files.some(
    ({ path, executable }) => executable && path === ".venv/bin/python",
  );
  const home = `${WORKSPACE_LAYOUT.skills}/${skill?.name}`;
  if (!virtual && !has("bin")) return { programs: undefined, virtualEnvironment: undefined };
  return {
    programs: { before: virtual ? [`${home}/.venv/bin`] : [], after: has("bin") ? [`${home}/bin`] : [] },
    virtualEnvironment: hasPython ? `${home}/.venv` : undefined,
  };
}
