import { SkillError } from "@skillwright/core";

/** The inputs of a run use the same prefix. */
export const WORKSPACE_URIS = "workspace://";

/** Returns a URI such as `workspace://out/report.md` for a path in the session's own workspace. It contains no id that a client could guess. */
export function workspaceUri(path: string): string {
  return `${WORKSPACE_URIS}${path.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Replaces the links of this server among the `inputs` of a tool call by the paths that tools take, in which nothing is encoded. Other
 * texts stay as they are.
 */
export function withoutLinks(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { inputs } = input as { readonly inputs?: unknown };
  return Array.isArray(inputs) ? { ...input, inputs: inputs.map(withoutLink) } : input;
}

function withoutLink(given: unknown): unknown {
  const { from } = (given ?? {}) as { readonly from?: unknown };
  if (typeof from !== "string" || !from.startsWith(WORKSPACE_URIS)) return given;
  try {
    const path = workspacePath(from);
    return workspaceUri(path) === from ? { ...(given as object), from: `${WORKSPACE_URIS}${path}` } : given;
  } catch {
    // The text has a percent sign that encodes nothing, so that it is a path and no link.
    return given;
  }
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
