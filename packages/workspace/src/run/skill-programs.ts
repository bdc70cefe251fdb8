import type { Skill } from "@skillwright/core";
import { type RunCommand, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { ENVIRONMENT_DIRECTORIES, type EnvironmentKind } from "../environment/environment-need.js";
import type { StagedEnvironments } from "../environment/environments.js";

/** The directories in which a skill keeps its own programs. */
export interface SkillPrograms {
  readonly programs: RunCommand["programs"];
  /** The skill's virtual environment, relative to the workspace's root, if it has one. */
  readonly virtualEnvironment: string | undefined;
  /** The prepared gems, relative to the workspace's root, if there are any. */
  readonly gems: string | undefined;
}

/**
 * Programs of prepared environments come first. The `.venv/bin` of a virtual environment that runs here precedes the machine's programs; any other one and the skill's
 * `bin` follow them, so that a skill's `git` never replaces the machine's. All are on PATH, so they apply in every
 * directory.
 */
export function skillPrograms(
  skill: Pick<Skill, "name" | "manifest"> | undefined,
  isVirtual: boolean,
  environments: StagedEnvironments = [],
): SkillPrograms {
  const has = (directory: string) =>
    skill?.manifest.files.some(({ path }) => path.startsWith(`${directory}/`)) === true;
  const home = `${WORKSPACE_LAYOUT.skills}/${skill?.name}`;
  const own = [".venv/bin", "bin"].filter(has);
  const prepared = (kind: EnvironmentKind) => `${WORKSPACE_LAYOUT.skills}/${ENVIRONMENT_DIRECTORIES[kind]}`;
  const packages = environments.map((kind) => `${prepared(kind)}/${PROGRAMS[kind]}`);
  if (own.length + packages.length === 0)
    return { programs: undefined, virtualEnvironment: undefined, gems: undefined };
  const before = own.filter((directory) => isVirtual && directory === ".venv/bin");
  const after = own.filter((directory) => !before.includes(directory));
  const below = (directories: readonly string[]) => directories.map((directory) => `${home}/${directory}`);
  const ownEnvironment = isVirtual ? `${home}/.venv` : undefined;
  return {
    programs: { before: [...packages, ...below(before)], after: below(after) },
    virtualEnvironment: environments.includes("python") ? prepared("python") : ownEnvironment,
    gems: environments.includes("ruby") ? prepared("ruby") : undefined,
  };
}

/** Where an environment keeps programs. */
const PROGRAMS: Readonly<Record<EnvironmentKind, string>> = {
  python: "bin",
  ruby: "bin",
  node: ".bin",
};
