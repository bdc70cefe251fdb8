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
    .summary("pack a skill into an archive")
    .description(
      "Validates and lints the skill, then packs its files. Caches, node_modules, version control data and evals are left out. The same files always produce the same archive.",
    )
    .argument(
      "<skill>",
      "the folder of a skill, or a name that `list` shows if there is no folder of that name",
    )
    .addOption(
      new Option(
        "--out <file>",
        "the archive to write, or an existing folder or a path that ends with a slash (default: <name>.skill)",
      ),
    )
    .addOption(
      new Option("--format <format>", "the format (default: by the extension of --out, else skill)").choices(
        PACK_FORMATS,
      ),
    )
    .option("--bare", "put SKILL.md at the top level of the archive instead of inside a folder")
    .option("--force", "pack even if there are errors")
    .option("--overwrite", "replace an existing file")
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
  const { checkSame } = judged;
  const packed = await packSkill(directory, { out, format, overwrite, layout, checkSame }, context);
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
  const told = `Not packed: ${counted(errors.length, "error")}. Fix them, or use --force to pack the skill anyway.`;
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
  return counts === "" ? [] : [`  ${counts}: run "skillwright validate" to see them.`];
}
