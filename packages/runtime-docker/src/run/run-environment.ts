import { commandEnvironment, type EnvironmentPlace, type RunCommand } from "@skillwright/core/adapter";
import { ROOT, type WorkspaceContainer } from "../container/workspace-container.js";
import { PROGRAM_PATH } from "../image/image-facts.js";

/**
 * Builds the command's variables: the runtime's base and its own, and none of the image or the engine.
 * @throws SkillError as core's `commandEnvironment`.
 */
export function runEnvironment(
  command: RunCommand,
  { programPath, lastPath }: Pick<WorkspaceContainer, "programPath"> & Pick<EnvironmentPlace, "lastPath">,
): Readonly<Record<string, string>> {
  const path = imageDirectories(programPath);
  return commandEnvironment(command, { root: ROOT, tmp: "/tmp", path, lastPath, language: "C.UTF-8" });
}

/** Directories of the image's programs, where they or their order are unusual. */
function imageDirectories(programPath: string): readonly string[] {
  return programPath === PROGRAM_PATH
    ? []
    : programPath.split(":").filter((directory) => directory.startsWith("/"));
}
