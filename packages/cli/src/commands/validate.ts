import type { Command } from "commander";
import { Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { CommandOutcome } from "../program.js";
import { findSkillFiles } from "../skills/find-skill-files.js";
import { judgeSkillFile } from "../validate/judge-skill-file.js";
import { validationJson, validationText } from "../validate/validation-report.js";

export function addValidateCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("validate")
    .summary("judge skills by the letter of the standard")
    .description(
      "Judges every SKILL.md at or below the paths by the letter of the Agent Skills standard, as its author wants to know it. Clients load many skills that fail here. The exit code is 1 where there are errors.",
    )
    .argument("[paths...]", "skills' folders, SKILL.md files, folders above, or quoted patterns", ["."])
    .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("text"))
    .action(async (paths: string[], { format }: { format: "text" | "json" }) => {
      const files = await findSkillFiles(paths, context.cwd);
      const judged = [];
      for (const file of files) {
        context.signal?.throwIfAborted();
        judged.push(await judgeSkillFile(file, context.cwd));
      }
      if (format === "json") context.print(JSON.stringify(validationJson(judged), undefined, 2));
      else context.print(...validationText(judged, paths, context.style));
      outcome.exitCode = judged.length > 0 && judged.every(({ valid }) => valid) ? 0 : 1;
    });
}
