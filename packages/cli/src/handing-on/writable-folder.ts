import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { SkillError } from "@skillwright/core";

/**
 * Creates a folder with its parents where it does not exist, so that an unusable one is reported before any work.
 * @param given `what` is put there, in the plural; `option` is the one that names another folder.
 * @throws SkillError `INPUT_INVALID` for one that cannot be made or written to.
 */
export async function writableFolder(
  directory: string,
  { what, option }: { readonly what: string; readonly option: "--dir" | "--out" },
): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
    await access(directory, constants.W_OK);
  } catch (error) {
    throw new SkillError(
      "INPUT_INVALID",
      `${what} cannot be put into ${directory}: ${(error as Error).message}. Give ${option} a folder that you can write to.`,
      { cause: error },
    );
  }
}
