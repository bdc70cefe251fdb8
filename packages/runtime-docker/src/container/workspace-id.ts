import { SkillError } from "@skillwright/core";

export function isWorkspaceId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

export function badId(id: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `${JSON.stringify(id.slice(0, 80))} cannot be a workspace's id: it must be 1 to 64 letters, digits, - and _.`,
    { details: { workspaceId: id.slice(0, 80) } },
  );
}

/** A foreign container, or one of a later version. */
export function takenByStranger(id: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `A container that this runtime did not make has the name that the workspace ${id} would get. Choose another id or namespace, or look at that container with docker ps -a.`,
    { details: { workspaceId: id } },
  );
}
