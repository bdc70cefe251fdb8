import { SkillError, validateSkill } from "@skillwright/core";
import { type LintedFile, lintSkill } from "@skillwright/lint";
import type { CliContext } from "../cli-context.js";
import { type Allowed, standingInTheWay } from "../handing-on/standing-in-the-way.js";
import { findingLines } from "../validate/finding-lines.js";
import type { JudgedSkill } from "../validate/judged-skill.js";
import { sourceTexts } from "../validate/source-texts.js";

/**
 * Validates the files of a skill before they are installed, like `validate`, and reports findings that prevent it on
 * standard error.
 * @throws SkillError `SKILL_INVALID` for errors, `REFUSED` for security warnings, each where they are not allowed.
 */
export function judgeDownload(
  name: string,
  files: readonly (LintedFile & { readonly content: Uint8Array })[],
  allowed: Allowed,
  context: CliContext,
): void {
  const found = standingInTheWay(judgedFiles(name, files), allowed);
  if (!found) return;
  context.remark(...findingLines(found.judged, { style: context.errorStyle, width: context.width }));
  const flag = found.isError ? "--allow-errors" : "--allow-warnings";
  throw new SkillError(
    found.isError ? "SKILL_INVALID" : "REFUSED",
    `The skill "${name}" has ${found.what}. Review them, and use ${flag} to install it anyway.`,
    { details: { skill: name, codes: found.judged.findings.map(({ finding }) => finding.code) } },
  );
}

function judgedFiles(
  name: string,
  files: readonly (LintedFile & { readonly content: Uint8Array })[],
): JudgedSkill {
  const content = files.find(({ path }) => path === "SKILL.md")?.content ?? new Uint8Array();
  const linted = lintSkill({ directoryName: name, files });
  const sources = sourceTexts(files, linted, { fileName: "SKILL.md", content });
  const own = validateSkill(content, { directoryName: name });
  const findings = [
    ...own.map((finding) => ({ finding, source: sources.own(finding) })),
    ...linted.map((finding) => ({ finding, source: sources.linted(finding) })),
  ].map(({ finding, source }) => ({
    finding,
    file: `${name}/${finding.path ?? "SKILL.md"}`,
    ...(source && { source }),
  }));
  return {
    path: `${name}/SKILL.md`,
    valid: findings.every(({ finding }) => finding.severity !== "error"),
    findings,
  };
}
