import { containedPath, SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

/** The directories that commands and callers may write to. */
export const WRITABLE_ROOTS: readonly string[] = [
  WORKSPACE_LAYOUT.work,
  WORKSPACE_LAYOUT.out,
  WORKSPACE_LAYOUT.runs,
];

const READABLE_ROOTS: readonly string[] = [...WRITABLE_ROOTS, WORKSPACE_LAYOUT.skills];

/** A path below one of the workspace's directories, or one of them. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export function readablePath(path: string): string {
  return below(path, READABLE_ROOTS);
}

/** A file needs a name below one of the directories. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export function writablePath(path: string): string {
  if (below(path, WRITABLE_ROOTS).includes("/")) return path;
  throw new SkillError(
    "PATH_INVALID",
    `${path} is a directory of the workspace layout. Give a file below it.`,
    {
      details: { path },
    },
  );
}

function below(path: string, roots: readonly string[]): string {
  const [root = ""] = containedPath(path).split("/", 1);
  if (roots.includes(root)) return path;
  throw new SkillError(
    "PATH_OUTSIDE",
    `The path ${JSON.stringify(path.slice(0, 200))} is not below ${roots.map((name) => `${name}/`).join(", ")}. Files are not allowed elsewhere in a workspace.`,
    { details: { path } },
  );
}
