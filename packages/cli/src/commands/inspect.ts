import { environmentStore } from "@skillwright/workspace";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { neededPackages } from "../environments/needed-packages.js";
import { skillText } from "../inspect/skill-text.js";
import { openSkill } from "../skills/open-skill.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addInspectCommand(program: Command, context: CliContext): void {
  program
    .command("inspect")
    .summary("show everything about one skill")
    .description(
      "Shows a skill's description, fields, documents, files with sizes, packages, digest and problems.",
    )
    .argument(
      "<skill>",
      "a name that `list` shows, or the path of a skill's folder (with a slash, such as ./pdf)",
    )
    .addOption(skillsOption())
    .addOption(jsonOption())
    .action(async (name: string, { skills = [], json }: { skills?: string[]; json?: true }) => {
      await using opened = await openSkill(name, skills, context);
      const packages = await neededPackages(opened.skill, opened.catalog, environmentStore());
      const diagnostics = [...opened.skill.diagnostics, ...packages.diagnostics];
      const skill = { ...opened.skill, diagnostics };
      if (json)
        context.print(JSON.stringify({ formatVersion: 1, ...skill, packages: packages.needs }, undefined, 2));
      else context.print(...skillText(skill, packages.needs, context.style));
    });
}
