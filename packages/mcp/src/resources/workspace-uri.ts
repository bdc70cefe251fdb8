import { SkillError } from "@skillwright/core";

/** The inputs of a run use the same prefix. */
export const WORKSPACE_URIS = "workspace://";

/** Returns a URI such as `workspace://out/report.md` for a path in the session's own workspace. It contains no id that a client could guess. */
export function workspaceUri(path: string): string {
  return `${WORKSPACE_URIS}${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** Returns the path in the URI; the workspace checks the path. @throws SkillError `PATH_INVALID`. */
export function workspacePath(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(WORKSPACE_URIS.length));
  } catch {
    throw new SkillError(
      "PATH_INVALID",
      `${JSON.stringify(uri.slice(0, 200))} is not encoded as a URI. Use the URI of a link or of the list of resources.`,
    );
  }
}
