import { containedPath } from "@skillwright/core";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { isLayoutDirectory, locatePath, outsideWorkspace, type PathContext } from "./locate-path.js";

/**
 * Converts a path written by a person or a model to one relative to the workspace's root: variables and `/out/x` are
 * understood, `inputs/x` means `work/inputs/x`, `.` and double slashes are dropped.
 * @throws SkillError `PATH_OUTSIDE` for `..`, foreign absolute paths and the like, `PATH_INVALID` as `containedPath`.
 */
export function workspacePath(text: string, context: PathContext): string {
  const located = locatePath(text, context) ?? { base: ".", rest: text.trim().replaceAll("\\", "/") };
  return containedPath(withInputsAlias(joined(located.base, located.rest)));
}

/** Like `workspacePath`, for files to be written. @throws SkillError `PATH_OUTSIDE` also for `skills/` and the root. */
export function writablePath(text: string, context: PathContext): string {
  const path = workspacePath(text, context);
  const [first, ...rest] = path.split("/");
  if (rest.length > 0 && (first === WORKSPACE_LAYOUT.work || first === WORKSPACE_LAYOUT.out)) return path;
  throw outsideWorkspace(text, "Files are written below work/ or out/ only");
}

/** True for a path whose first part is one of the workspace's directories. */
export function isBelowLayout(path: string): boolean {
  return isLayoutDirectory(path.split("/")[0] ?? "");
}

/** `inputs/x` works from a skill's directory, so models use it everywhere. */
export function withInputsAlias(path: string): string {
  if (path === "inputs") return WORKSPACE_LAYOUT.inputs;
  return path.startsWith("inputs/") ? `work/${path}` : path;
}

function joined(base: string, rest: string): string {
  return [base, ...rest.split("/")].filter((part) => part !== "" && part !== ".").join("/");
}
