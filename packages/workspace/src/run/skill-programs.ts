import type { Skill } from "@skillwright/core";
import { type RunCommand, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

/** The directories in which a skill keeps its own programs. */
export interface SkillPrograms {
  readonly programs: RunCommand["programs"];
  /** The skill's virtual environment, relative to the workspace's root, if it has one. */
  readonly virtualEnvironment: string | undefined;
}

/**
 * The `.venv/bin` of a virtual environment that runs here precedes the machine's programs; any other one and the skill's
 * `bin` follow them, so that a skill's `git` never replaces the machine's. All are on PATH, so they apply in every
 * directory.
 */
export function skillPrograms(
  skill: Pick<Skill, "name" | "manifest"> | undefined,
  isVirtual: boolean,
): SkillPrograms {
  const has = (directory: string) =>
    skill?.manifest.files.some(({ path }) => path.startsWith(`${directory}/`)) === true;
  const home = `${WORKSPACE_LAYOUT.skills}/${skill?.name}`;
  const own = [".venv/bin", "bin"].filter(has);
  if (own.length === 0) return { programs: undefined, virtualEnvironment: undefined };
  const before = own.filter((directory) => isVirtual && directory === ".venv/bin");
  const after = own.filter((directory) => !before.includes(directory));
  const below = (directories: readonly string[]) => directories.map((directory) => `${home}/${directory}`);
  return {
    programs: { before: below(before), after: below(after) },
    virtualEnvironment: isVirtual ? `${home}/.venv` : undefined,
  };
}
