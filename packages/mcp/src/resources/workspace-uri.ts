import { SkillError } from "@skillwright/core";

/** As the inputs of a run name them. */
export const WORKSPACE_URIS = "workspace://";

/** `workspace://out/report.md` for a path of the session's own workspace. No id is in it, so none can be guessed. */
export function workspaceUri(path: string): string {
  return `${WORKSPACE_URIS}${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The path that the URI names; the workspace checks where it leads. @throws SkillError `PATH_INVALID`. */
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
