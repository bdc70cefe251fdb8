import { SkillError } from "../skill-error.js";

/** True for 1 to 64 letters, digits, `-` and `_`. */
export function isWorkspaceId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** @throws SkillError `INPUT_INVALID` for an invalid workspace id. */
export function checkWorkspaceId(id: string): string {
  if (isWorkspaceId(id)) return id;
  const shown = String(id).slice(0, 80);
  throw new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(shown)} is not a valid workspace id. Use 1 to 64 letters, digits, - and _.`,
    { details: { workspaceId: shown } },
  );
}
