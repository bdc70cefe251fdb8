import type { WorkspaceContainer } from "../container/workspace-container.js";

/** Prevents the container's shell from reading start-up files. */
export function shellArguments({ isBash }: Pick<WorkspaceContainer, "isBash">): readonly string[] {
  return isBash ? ["--noprofile", "--norc"] : [];
}
