import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { configuredStore } from "../environments/configured-store.js";
import { catalogNeeds } from "../environments/skill-needs.js";
import { skillText } from "../inspect/skill-text.js";
import { openSkill } from "../skills/open-skill.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addInspectCommand(program: Command, context: CliContext): void {
  program
    .command("inspect")
    .summary("show everything about one skill")
    .description(
      "Shows a skill's description, fields, documents, files with sizes, what it needs and whether it is there, digest and problems.",
    )
    .argument(
      "<skill>",
      "a name that `list` shows, or the path of a skill's folder (with a slash, such as ./pdf)",
    )
    .addOption(skillsOption())
    .addOption(jsonOption())
    .action(async (name: string, { skills = [], json }: { skills?: string[]; json?: true }) => {
      await using opened = await openSkill(name, skills, context);
      const place = { store: async () => (await configuredStore(context)).store, env: context.env };
      const found = await catalogNeeds(opened.skill, opened.catalog, place);
      const { diagnostics: problems, ...needs } = found;
      const skill = { ...opened.skill, diagnostics: [...opened.skill.diagnostics, ...problems] };
      if (json) context.print(JSON.stringify({ formatVersion: 1, ...skill, ...needs }, undefined, 2));
      else context.print(...skillText(skill, needs, context.style));
    });
}
