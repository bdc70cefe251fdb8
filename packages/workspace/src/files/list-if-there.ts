import { type CallOptions, type FileStat, type RuntimeWorkspace, SkillError } from "@skillwright/core";

/** What is below a directory of the layout; nothing where a command removed it, for the next file makes it again. */
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
