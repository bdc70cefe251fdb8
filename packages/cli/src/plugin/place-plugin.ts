import { lstat, rename } from "node:fs/promises";
import { SkillError } from "@skillwright/core";

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
  const existing = await lstat(target).catch(() => undefined);
  if (existing && !existing.isDirectory())
    throw new SkillError("CONFLICT", `${target} is not a folder, so it is not replaced. Move it away.`);
  if (existing && !overwrite)
    throw new SkillError("CONFLICT", `${target} already exists. Add --overwrite to replace the plugin.`);
  if (existing) await rename(target, aside);
  try {
    await rename(finished, target);
  } catch (error) {
    if (existing) await rename(aside, target);
    throw SkillError.from(error, `Moving the plugin to ${target}`);
  }
}
