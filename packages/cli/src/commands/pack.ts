import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { judgeBeforePacking } from "../pack/judge-before-packing.js";
import { PACK_FORMATS, type PackFormat } from "../pack/output-file.js";
import { packSkill } from "../pack/pack-skill.js";
import { packedText } from "../pack/packed-text.js";
import { skillDirectory } from "../skills/skill-directory.js";
import { counted } from "../terminal/amounts.js";
import { countedFindings, countFindings, noFindings } from "../validate/count-findings.js";
import { findingLines } from "../validate/finding-lines.js";
import type { JudgedSkill } from "../validate/judged-skill.js";
import type { CommandOutcome } from "./command-outcome.js";
import { jsonOption, skillsOption } from "./shared-options.js";

interface PackFlags {
  readonly skills?: readonly string[];
  readonly out?: string;
  readonly format?: PackFormat;
  readonly bare?: true;
  readonly force?: true;
  readonly overwrite?: true;
  readonly json?: true;
}

export function addPackCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  program
    .command("pack")
    .summary("make an archive of a skill, to hand it on")
    .description(
      "Validates and lints the skill, then packs its files. Caches, node_modules, version control and evals stay out. The same files give the same archive.",
    )
    .argument(
      "<skill>",
      "a skill's folder, or a name from the list where there is no folder of that name here",
    )
    .addOption(
      new Option(
        "--out <file>",
        "the file to make; or a folder, there or with a slash at its end (default: <name>.skill)",
      ),
    )
    .addOption(
      new Option("--format <format>", "what to make (default: by --out, else skill)").choices(PACK_FORMATS),
    )
    .option("--bare", "SKILL.md at the top of the archive instead of below a folder")
    .option("--force", "pack although there are errors")
    .option("--overwrite", "replace the file where it is there")
    .addOption(skillsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      [
        "",
        "  skillwright pack ./pdf",
        "  skillwright pack pdf --out dist/pdf.tar.gz --bare --overwrite",
      ].join("\n"),
    )
    .action(async (skill: string, flags: PackFlags) => {
      outcome.exitCode = (await pack(skill, flags, context)) ? 0 : 1;
    });
}

async function pack(skill: string, flags: PackFlags, context: CliContext): Promise<boolean> {
  const { out, format, bare, force, overwrite = false, json, skills = [] } = flags;
  const directory = await skillDirectory(skill, skills, context);
  const judged = await judgeBeforePacking(directory, context);
  if (!judged.valid && !force) {
    refuse(judged, json, context);
    return false;
  }
  const layout = bare ? "bare" : "wrapped";
  const packed = await packSkill(directory, { out, format, overwrite, layout }, context);
  if (json) {
    const findings = judged.findings.map(({ finding }) => finding);
    context.print(JSON.stringify({ formatVersion: 1, packed: true, ...packed, findings }, undefined, 2));
  } else context.print(...packedText(packed, context), ...remainder(judged));
  return true;
}

function refuse(judged: JudgedSkill, json: true | undefined, context: CliContext): void {
  if (json) {
    const findings = judged.findings.map(({ finding }) => finding);
    context.print(JSON.stringify({ formatVersion: 1, packed: false, findings }, undefined, 2));
    return;
  }
  const errors = judged.findings.filter(({ finding }) => finding.severity === "error");
  const told = `Not packed: ${counted(errors.length, "error")}. Mend them, or pack it as it is with --force.`;
  context.print(
    ...findingLines({ ...judged, findings: errors }, context),
    `${context.style.red("✘")} ${told}`,
  );
}

/** Findings that did not prevent packing. */
function remainder(judged: JudgedSkill): string[] {
  const totals = noFindings();
  countFindings(totals, judged);
  const counts = countedFindings(totals);
  return counts === "" ? [] : [`  ${counts}: "skillwright validate" tells them.`];
}
