import { stat } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";

/**
 * Checks the directory before the engine does, because some engines create a missing one.
 * @throws SkillError `CONFIG_INVALID` when it is not a directory here, or the engine is on another machine.
 */
export async function checkSkillsRoot(
  { isRemote, host }: EngineClient,
  skillsRoot: string | undefined,
): Promise<void> {
  if (skillsRoot === undefined) return;
  if (isRemote)
    throw unfit(
      skillsRoot,
      `the engine at ${host} runs on another machine, so this directory is not available to it`,
    );
  const isDirectory = await stat(skillsRoot).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw unfit(skillsRoot, "the directory does not exist");
}

function unfit(path: string, why: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The option skillsRoot cannot be ${JSON.stringify(path)}: ${why}. Leave it out; skills are staged without it.`,
    { details: { option: "skillsRoot" } },
  );
}
