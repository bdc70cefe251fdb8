import { join } from "node:path";
import { isPackedPath } from "@skillwright/archive";
import type { CliContext } from "../cli-context.js";
import { judgeSkill } from "../validate/judge-skill.js";
import type { JudgedSkill } from "../validate/judged-skill.js";

/** Validates the skill against the standard and with the linter, ignoring files that are not packed. */
export async function judgeBeforePacking(directory: string, { cwd }: CliContext): Promise<JudgedSkill> {
  const judged = await judgeSkill(join(directory, "SKILL.md"), { cwd, profile: "spec", lint: true });
  const findings = judged.findings.filter(
    ({ finding: { path } }) => path === undefined || isPackedPath(path),
  );
  return { ...judged, findings, valid: findings.every(({ finding }) => finding.severity !== "error") };
}
