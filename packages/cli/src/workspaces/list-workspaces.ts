import type { Diagnostic, WorkspaceInfo } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { type KeptPlace, kept } from "./kept-workspaces.js";

export interface ListedWorkspaces {
  /** Sorted by id, without damaged ones. */
  readonly workspaces: readonly WorkspaceInfo[];
  /** One diagnostic for each damaged workspace, which names the command that repairs it. */
  readonly damaged: readonly Diagnostic[];
  /** One diagnostic for each workspace that was put in order or removed, or could not be. */
  readonly swept: readonly Diagnostic[];
}

/** Cleans up what ended processes left in this place. Returns the workspaces, and diagnostics that say what was cleaned up. */
export async function listWorkspaces(
  place: KeptPlace,
  context: Pick<CliContext, "cwd" | "signal">,
): Promise<ListedWorkspaces> {
  const { signal } = context;
  const told: Diagnostic[] = [];
  const workspaces: WorkspaceInfo[] = [];
  const swept: Diagnostic[] = [];
  for (const opened of await kept(place, context.cwd, (diagnostic) => told.push(diagnostic))) {
    await using one = opened;
    const { diagnostics } = await one.workspaces.sweep({ signal });
    swept.push(...diagnostics.filter((diagnostic) => !isDamage(diagnostic)));
    workspaces.push(...(await one.workspaces.list({ signal })));
  }
  const byId = workspaces.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { workspaces: byId, damaged: told.filter(isDamage), swept };
}

function isDamage({ code }: Diagnostic): boolean {
  return code === "workspace.damaged";
}
