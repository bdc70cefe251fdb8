import { join, resolve } from "node:path";
import { SkillError } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";

/**
 * The absolute folder in which a server keeps its data.
 * @throws SkillError `CONFIG_INVALID` if the user has no home directory and gave no folder.
 */
export function dataFolder(given: string | undefined, { cwd, env }: Pick<CliContext, "cwd" | "env">): string {
  if (given !== undefined) return resolve(cwd, given);
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home) return join(home, ".skillwright");
  const message = "There is no home directory to keep conversations in. Give a folder with --data.";
  throw new SkillError("CONFIG_INVALID", message);
}
