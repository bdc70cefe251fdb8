import { lstat, rename } from "node:fs/promises";
import { SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";

export interface PlacePluginOptions {
  readonly overwrite: boolean;
  /** Where a replaced plugin is moved; on the same file system. */
  readonly aside: string;
}

/**
 * Moves a finished folder into place by a rename.
 * @throws SkillError `CONFLICT` where something is there that may not be replaced; nothing has changed then.
 */
export async function placePlugin(
  finished: string,
  target: string,
  { overwrite, aside }: PlacePluginOptions,
): Promise<void> {
  const existing = await ifThere(lstat(target));
  if (existing && !existing.isDirectory())
    throw new SkillError("CONFLICT", `${target} is not a folder, so it is not replaced. Move it away.`);
  if (existing && !overwrite)
    throw new SkillError("CONFLICT", `${target} already exists. Add --overwrite to replace the plugin.`);
  try {
    if (existing) await rename(target, aside);
    await rename(finished, target);
  } catch (error) {
    // If another process has installed the same plugin meanwhile, that one stays.
    if (existing)
      await rename(aside, target).catch((failed: unknown) => {
        if (!isOthers(failed)) throw failed;
      });
    if (!isOthers(error)) throw SkillError.from(error, `Moving the plugin to ${target}`);
    throw new SkillError("CONFLICT", `Another process has changed ${target} meanwhile. Try again.`);
  }
}

/** True for the error of a rename whose folder is gone or whose target exists: another process has made the change. */
function isOthers(error: unknown): boolean {
  return ["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
