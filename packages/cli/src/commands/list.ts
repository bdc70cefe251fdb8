import type { SkillPlace } from "@skillwright/config";
import type { CatalogSnapshot } from "@skillwright/core";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.js";
import { listText } from "../list/list-text.js";
import { configuredCatalog } from "../places/configured-catalog.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

export function addListCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("list")
    .summary("list the available skills")
    .description(
      "Lists the skills in the given folders, in SKILLS_ROOT, in this project and in your home directory, including skills that are broken or hidden by another skill of the same name.",
    )
    .addOption(skillsOption())
    .addOption(jsonOption())
    .action(async ({ skills = [], json }: { skills?: string[]; json?: true }) => {
      await using configured = await configuredCatalog(context, skills);
      const { places, loaded, usable } = configured;
      const snapshot = await usable.snapshot({ signal: context.signal });
      context.remark(...loaded.diagnostics.map(({ message, hint }) => `${message} ${hint}`));
      if (json) context.print(JSON.stringify(listJson(places, snapshot), undefined, 2));
      else context.print(...listText(places, snapshot, context));
      // Named explicitly: without it, the listing is not what the user asked for.
      if (places.some(({ kind, found }) => kind === "given" && !found)) outcome.exitCode = 1;
    });
}

function listJson(places: readonly SkillPlace[], snapshot: CatalogSnapshot) {
  return {
    formatVersion: 1,
    places: places.map(({ source, root, trusted, found }) => ({ source, root, trusted, found })),
    skills: snapshot.skills,
    broken: snapshot.broken,
    diagnostics: snapshot.diagnostics,
  };
}
