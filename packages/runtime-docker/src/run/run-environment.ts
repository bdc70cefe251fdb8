import { commandEnvironment, type EnvironmentPlace, type RunCommand } from "@skillwright/core/adapter";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { PROGRAM_PATH } from "../image/image-facts.js";

/** Variables that engines add. */
const ENGINE_VARIABLES = ["HOSTNAME", "TERM", "container"];

export interface RunEnvironment {
  /** Variables of the process that the engine starts. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names of variables to unset before the command starts. */
  readonly unset: readonly string[];
}

/**
 * Builds the command's variables: the runtime's base and its own, and none of the image or the engine. Variables of the
 * image are set empty, because a shell or a loader would use them, and then unset.
 * @param containerVariables The variables of the container.
 * @throws SkillError as core's `commandEnvironment`.
 */
export function runEnvironment(
  command: RunCommand,
  { programPath, lastPath }: Pick<WorkspaceContainer, "programPath"> & Pick<EnvironmentPlace, "lastPath">,
  containerVariables: readonly string[],
): RunEnvironment {
  const path = imageDirectories(programPath);
  const wanted = commandEnvironment(command, {
    root: ROOT,
    tmp: "/tmp",
    path,
    lastPath,
    language: "C.UTF-8",
  });
  // Variables without a value were removed when the container was created.
  const named = containerVariables
    .filter((each) => each.includes("="))
    .map((each) => each.replace(/=.*$/s, ""));
  const foreign = named.filter((name) => !Object.hasOwn(wanted, name));
  const unset = [...foreign, ...ENGINE_VARIABLES].filter(
    (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !Object.hasOwn(wanted, name),
  );
  const empty = foreign.map((name) => [name, ""] as const);
  return { variables: Object.fromEntries([...empty, ...Object.entries(wanted)]), unset };
}

/** Directories of the image's programs, where they or their order are unusual. */
function imageDirectories(programPath: string): readonly string[] {
  return programPath === PROGRAM_PATH
    ? []
    : programPath.split(":").filter((directory) => directory.startsWith("/"));
}
