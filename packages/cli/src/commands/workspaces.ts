import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { listWorkspaces } from "../workspaces/list-workspaces.js";
import { repairWorkspace } from "../workspaces/repair-workspace.js";
import { workspacesText } from "../workspaces/workspaces-text.js";
import { jsonOption } from "./shared-options.js";

interface WorkspacesFlags {
  readonly root?: string;
  readonly json?: true;
}

export function addWorkspacesCommand(program: Command, context: CliContext): void {
  const group = program
    .command("workspaces")
    .summary("list the workspaces on this machine, or repair a damaged one")
    .description(
      "Shows and repairs the workspaces that agents keep on this machine. Containers are not looked at.",
    );
  group
    .command("list")
    .summary("list the workspaces and which of them are damaged")
    .description(
      "Lists the workspaces with the time they were made and their session, and names those whose record is damaged. First it puts in order what ended processes left, as every agent does at its start, and tells what it did.",
    )
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async ({ root, json }: WorkspacesFlags) => {
      const listed = await listWorkspaces(root, context);
      if (json) context.print(JSON.stringify({ formatVersion: 1, ...listed }, undefined, 2));
      else context.print(...workspacesText(listed, context.style));
    });
  group
    .command("repair")
    .summary("repair a damaged workspace")
    .description(
      "Writes the damaged record of a workspace anew. Its files stay, its skills are staged again by the next runs. A workspace that is not damaged stays as it is.",
    )
    .argument("<id>", "the id of the workspace, as `workspaces list` shows it")
    .addOption(rootOption())
    .addOption(jsonOption())
    .action(async (id: string, { root, json }: WorkspacesFlags) => {
      const repaired = await repairWorkspace(id, root, context);
      if (json) context.print(JSON.stringify({ formatVersion: 1, id, repaired }, undefined, 2));
      else if (repaired) context.print(`${context.style.green("✔")} ${id} is repaired. Its files are kept.`);
      else context.print(`${id} is not damaged. Nothing was changed.`);
    });
}

function rootOption(): Option {
  return new Option("--root <dir>", "the directory of the workspaces (default: the local runtime's)");
}
