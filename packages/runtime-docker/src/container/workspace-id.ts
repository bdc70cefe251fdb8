import { SkillError } from "@skillwright/core";

export function isWorkspaceId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

export function badId(id: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(id.slice(0, 80))} is not a valid workspace id. Use 1 to 64 letters, digits, - and _.`,
    { details: { workspaceId: id.slice(0, 80) } },
  );
}

/** A foreign container, or one of a later version. */
export function takenByStranger(id: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `A container that this runtime did not create already has the name for the workspace ${id}. Choose another id or namespace, or find that container with docker ps -a.`,
    { details: { workspaceId: id } },
  );
}
