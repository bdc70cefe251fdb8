import type { CliContext } from "../cli-context.js";
import { skillDirectory } from "../skills/skill-directory.js";
import { counted } from "../terminal/amounts.js";
import { countedFindings, countFindings, noFindings } from "../validate/count-findings.js";
import { findingLines } from "../validate/finding-lines.js";
import type { JudgedSkill } from "../validate/judged-skill.js";
import { judgeBeforePacking } from "./judge-before-packing.js";
import type { PackFormat } from "./output-file.js";
import { packSkill } from "./pack-skill.js";
import { packedText } from "./packed-text.js";

export interface PackFlags {
  readonly skills?: readonly string[];
  readonly out?: string;
  readonly format?: PackFormat;
  readonly bare?: true;
  readonly force?: true;
  readonly overwrite?: true;
  readonly json?: true;
}

/** Returns false where the skill has errors and was not packed. */
export async function packJudged(skill: string, flags: PackFlags, context: CliContext): Promise<boolean> {
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
    context.printJson({ packed: true, ...packed, findings });
  } else context.print(...packedText(packed, context), ...remainder(judged));
  return true;
}

function refuse(judged: JudgedSkill, json: true | undefined, context: CliContext): void {
  if (json) {
    const findings = judged.findings.map(({ finding }) => finding);
    context.printJson({ packed: false, findings });
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
