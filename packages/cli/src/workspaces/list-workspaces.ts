import type { Diagnostic, WorkspaceInfo } from "@skillwright/core";
import type { CliContext } from "../cli-context.js";
import { kept } from "./kept-workspaces.js";

export interface ListedWorkspaces {
  /** Sorted by id, without damaged ones. */
  readonly workspaces: readonly WorkspaceInfo[];
  /** One diagnostic for each damaged workspace, which names the command that repairs it. */
  readonly damaged: readonly Diagnostic[];
}

/** The workspaces below that root, after what ended processes left was put in order. */
export async function listWorkspaces(
  root: string | undefined,
  context: Pick<CliContext, "cwd" | "signal">,
): Promise<ListedWorkspaces> {
  const told: Diagnostic[] = [];
  await using opened = await kept(root, context.cwd, (diagnostic) => told.push(diagnostic));
  const { signal } = context;
  await opened.workspaces.sweep({ signal });
  const workspaces = await opened.workspaces.list({ signal });
  return { workspaces, damaged: told.filter(({ code }) => code === "workspace.damaged") };
}
