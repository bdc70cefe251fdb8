import { lstat, rename } from "node:fs/promises";
import { basename } from "node:path";
import { SkillError } from "@skillwright/core";

export interface PlaceOptions {
  readonly existing: "replace" | "refuse";
  /** Where a replaced folder is moved; on the same file system. */
  readonly aside: string;
}

/** Moves a finished folder into place by a rename. @throws SkillError `SKILL_EXISTS`; nothing has changed then. */
export async function placeFolder(
  finished: string,
  target: string,
  { existing, aside }: PlaceOptions,
): Promise<void> {
  if (existing === "refuse") await refuseExisting(target);
  else if (await moveAside(target, aside)) {
    await renameOver(finished, target).catch(async (error: unknown) => {
      await rename(aside, target).catch(() => {
        const message = `The new "${basename(target)}" could not be moved into place; the previous one is kept in ${aside}.`;
        throw new SkillError("BACKEND_FAILED", message, { cause: error });
      });
      throw error;
    });
    return;
  }
  await renameOver(finished, target);
}

/** @throws SkillError `SKILL_EXISTS` where an entry of that name exists, even a broken link. */
export async function refuseExisting(target: string): Promise<void> {
  if (await kindOf(target)) throw exists(target, "Replace it, or unpack elsewhere.");
}

async function moveAside(target: string, aside: string): Promise<boolean> {
  const kind = await kindOf(target);
  if (!kind) return false;
  if (kind !== "folder") throw exists(target, "It is not a folder, so it is not replaced: move it away.");
  await rename(target, aside);
  return true;
}

async function kindOf(path: string): Promise<"folder" | "other" | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Another process may have created one since the check. */
async function renameOver(finished: string, target: string): Promise<void> {
  try {
    await rename(finished, target);
  } catch (error) {
    const taken = ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw taken ? exists(target, "Another process created it in the meantime: try again.") : error;
  }
}

function exists(target: string, remedy: string): SkillError {
  const message = `"${basename(target)}" already exists (${target}). ${remedy}`;
  return new SkillError("SKILL_EXISTS", message, { details: { path: target } });
}
