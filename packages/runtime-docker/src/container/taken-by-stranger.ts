import { SkillError } from "@skillwright/core";

/** A foreign container, or one of a later version. */
export function takenByStranger(id: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `A container that this runtime did not create already has the name for the workspace ${id}. Choose another id or namespace, or find that container with docker ps -a.`,
    { details: { workspaceId: id } },
  );
}
