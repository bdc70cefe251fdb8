import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";

/**
 * Lists a directory of the layout. Returns nothing where a command removed it, since writing the next file creates it
 * again.
 */
export async function listIfThere(
  workspace: RuntimeWorkspace,
  path: string,
  options: CallOptions,
): Promise<readonly FileStat[]> {
  try {
    return await workspace.list(path, options);
  } catch (error) {
    if (SkillError.is(error, "FILE_NOT_FOUND")) return [];
    throw error;
  }
}
