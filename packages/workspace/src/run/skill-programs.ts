import { type RunCommand, type Skill, WORKSPACE_LAYOUT } from "@skillwright/core";

/** Where a skill keeps programs of its own. */
export interface SkillPrograms {
  readonly programs: RunCommand["programs"];
  /** Relative to the workspace's root; the skill's virtual environment, where it has one. */
  readonly virtualEnvironment: string | undefined;
}

/**
 * The skill's `.venv/bin` comes before the programs of the machine and its `bin` after them, so that a skill's `git` never
 * stands for the machine's (TR-59). As directories of PATH they count from every directory (TR-60). A virtual environment
 * is one only where its `python` is there to be executed: that of most is a link to the machine it was made on.
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
