import type { CliContext } from "../cli-context.js";
import { skillDirectory } from "../skills/skill-directory.js";
import type { JudgedSkill } from "../validate/judged-skill.js";
import { notPackedText, remainingText } from "./findings-text.js";
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
  } else context.print(...packedText(packed, context), ...remainingText(judged, "skillwright validate"));
  return true;
}

function refuse(judged: JudgedSkill, json: true | undefined, context: CliContext): void {
  if (json) {
    const findings = judged.findings.map(({ finding }) => finding);
    context.printJson({ packed: false, findings });
    return;
  }
  const remedy = "Fix them, or use --force to pack the skill anyway.";
  context.print(...notPackedText(judged, remedy, context));
}
