import { containedPath, SkillError } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";

/**
 * The directories whose content commands create and callers may write. Only root can replace the directories
 * themselves.
 */
export const WRITABLE_ROOTS: readonly string[] = [
  WORKSPACE_LAYOUT.work,
  WORKSPACE_LAYOUT.out,
  WORKSPACE_LAYOUT.runs,
];

export const READABLE_ROOTS: readonly string[] = [...WRITABLE_ROOTS, WORKSPACE_LAYOUT.skills];

/** A path below one of the workspace's directories, or one of them. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export function layoutPath(path: string, roots: readonly string[]): string {
  if (roots.includes(rootOf(containedPath(path)))) return path;
  throw new SkillError(
    "PATH_OUTSIDE",
    `The path ${JSON.stringify(path.slice(0, 200))} is not below ${roots.map((root) => `${root}/`).join(", ")}. ` +
      "Files are not allowed elsewhere in a workspace.",
    { details: { path } },
  );
}

/** A file needs a name below one of the directories. @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`. */
export function filePath(path: string): string {
  if (layoutPath(path, WRITABLE_ROOTS).includes("/")) return path;
  throw new SkillError(
    "PATH_INVALID",
    `${path} is a directory of the workspace layout. Give a file below it.`,
    {
      details: { path },
    },
  );
}

export function rootOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
