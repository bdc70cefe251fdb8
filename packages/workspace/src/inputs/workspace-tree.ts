import { type CallOptions, type Diagnostic, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import { type InputTree, singleFile } from "./input-tree.js";
import { inputSkipped } from "./skipped-input.js";

/**
 * Returns a file of the workspace, or the current regular files of a directory. Links and special files are left out
 * with a diagnostic. @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE` for a link, `PATH_INVALID`.
 */
export async function workspaceTree(
  path: string,
  workspace: RuntimeWorkspace,
  { signal, tell }: CallOptions & { tell: (diagnostic: Diagnostic) => void },
): Promise<InputTree> {
  const open = (file: string) => async () => ({ content: await workspace.get(file, { signal }) });
  const entries = await directoryEntries(path, workspace, signal);
  if (!entries) return singleFile({ open: open(path) });
  const files = entries.flatMap((entry) => {
    const relative = entry.path.slice(path.length + 1);
    if (entry.kind === "file") return [{ path: relative, size: entry.size, open: open(entry.path) }];
    if (entry.kind !== "directory")
      tell(
        inputSkipped(
          path,
          relative,
          entry.kind === "link" ? "is a link" : "is not a regular file with a plain name",
        ),
      );
    return [];
  });
  return { isDirectory: true, files };
}

/** Returns `undefined` where the path is not a directory; opening it then gives the precise error. */
async function directoryEntries(
  path: string,
  workspace: RuntimeWorkspace,
  signal: AbortSignal | undefined,
): Promise<readonly FileStat[] | undefined> {
  try {
    return await workspace.list(path, { signal });
  } catch (error) {
    if (SkillError.is(error, "PATH_INVALID") || SkillError.is(error, "FILE_NOT_FOUND")) return undefined;
    throw error;
  }
}
