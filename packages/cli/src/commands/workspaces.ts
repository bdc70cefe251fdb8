import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { KeptPlace } from "../workspaces/kept-workspaces.js";
import { jsonOption } from "./shared-options.js";

interface WorkspacesFlags extends KeptPlace {
  readonly json?: true;
}

export function addWorkspacesCommand(program: Command, context: CliContext): void {
  const group = program
    .command("workspaces")
    .summary("list or repair the workspaces on this machine")
    .description(
      "Shows and repairs the workspaces that agents keep on this machine. Workspaces in containers are not included.",
    );
  group
    .command("list")
    .summary("list the workspaces, and show which are damaged")
    .description(
      "Lists the workspaces with their creation time and session, and marks those with a damaged record. Before that, it cleans up after processes that ended abnormally, as every agent does when it starts, and reports what it did.",
    )
    .addOption(rootOption())
    .addOption(dataOption())
    .addOption(recordsOption())
    .addOption(jsonOption())
    .action(async ({ json, ...place }: WorkspacesFlags) => {
      const { listWorkspaces } = await import("../workspaces/list-workspaces.js");
      const { workspacesText } = await import("../workspaces/workspaces-text.js");
      const listed = await listWorkspaces(place, context);
      if (json) context.printJson(listed);
      else context.print(...workspacesText(listed, context.style));
    });
  group
    .command("repair")
    .summary("repair a damaged workspace")
    .description(
      "Replaces the damaged record of a workspace. Its files are kept, and its skills are staged again by later runs. A workspace that is not damaged is not changed.",
    )
    .argument("<id>", "the id of the workspace, as `workspaces list` shows it")
    .addOption(rootOption())
    .addOption(dataOption())
    .addOption(recordsOption())
    .addOption(jsonOption())
    .action(async (id: string, { json, ...place }: WorkspacesFlags) => {
      const { repairWorkspace } = await import("../workspaces/repair-workspace.js");
      const repaired = await repairWorkspace(id, place, context);
      if (json) context.printJson({ id, repaired });
      else if (repaired)
        context.print(`${context.style.green("✔")} ${id} was repaired. Its files were kept.`);
      else context.print(`${id} is not damaged. Nothing was changed.`);
    });
}

function rootOption(): Option {
  return new Option("--root <dir>", "a directory of workspaces (default: the local runtime's)");
}

function dataOption(): Option {
  return new Option("--data <dir>", "the data folder of `skillwright serve` whose workspaces are meant");
}

function recordsOption(): Option {
  return new Option(
    "--records <place>",
    "the records of `skillwright serve --records` whose workspaces are meant",
  ).conflicts("data");
}
