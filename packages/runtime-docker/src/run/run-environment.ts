import { commandEnvironment, type EnvironmentPlace, type RunCommand } from "@skillwright/core";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { PROGRAM_PATH } from "../image/image-facts.js";

/** What engines add by themselves. */
const ENGINE_VARIABLES = ["HOSTNAME", "TERM", "container"];

export interface RunEnvironment {
  /** For the process that the engine starts. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names that are to be gone before the command starts. */
  readonly unset: readonly string[];
}

/**
 * The command's variables: the runtime's base and its own, and nothing of the image's or the engine's. What the image sets is
 * made empty, since a shell or a loader would heed it, and then taken away.
 * @param containerVariables As the container has them.
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
  // Those without a value were taken away when the container was made.
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

/** Where an image has programs beside the usual places, or in another order. */
function imageDirectories(programPath: string): readonly string[] {
  return programPath === PROGRAM_PATH
    ? []
    : programPath.split(":").filter((directory) => directory.startsWith("/"));
}
