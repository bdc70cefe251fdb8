import type { CallOptions, Diagnostic, RuntimeWorkspace } from "@skillwright/core";
import { type FileStat, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { linkedElsewhere } from "../collect/linked-elsewhere.js";
import { listIfThere } from "../files/list-if-there.js";

/**
 * Lists the regular files of `out/` and `work/`, by path. Links, special files and files with a hard link elsewhere are
 * left out with a diagnostic.
 */
export async function snapshotFiles(
  workspace: RuntimeWorkspace,
  { signal, tell }: CallOptions & { tell: (diagnostic: Diagnostic) => void },
): Promise<readonly FileStat[]> {
  const entries = [
    ...(await listIfThere(workspace, WORKSPACE_LAYOUT.out, { signal })),
    ...(await listIfThere(workspace, WORKSPACE_LAYOUT.work, { signal })),
  ];
  const isElsewhere = linkedElsewhere(entries);
  return entries.filter((entry) => {
    if (entry.kind === "directory") return false;
    const reason = reasonToLeave(entry, isElsewhere(entry));
    if (reason !== undefined) tell(leftOut(entry.path, reason));
    return reason === undefined;
  });
}

function reasonToLeave({ kind }: FileStat, isElsewhere: boolean): string | undefined {
  if (kind === "link") return "is a link";
  if (kind !== "file") return "is not a regular file with a plain name";
  return isElsewhere ? "is a hard link to a file outside work/ and out/" : undefined;
}

function leftOut(path: string, reason: string): Diagnostic {
  return {
    code: "snapshot.left-out",
    severity: "warning",
    message: `${path} ${reason}; it is left out of the snapshot.`,
    hint: "Copy the content into a regular file if it must be restored.",
    path,
  };
}
