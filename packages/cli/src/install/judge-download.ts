import { type Diagnostic, SkillError } from "@skillwright/core";
import type { LintedFile } from "@skillwright/lint";
import type { CliContext } from "../cli-context.js";
import { type Allowed, standingInTheWay } from "../handing-on/standing-in-the-way.js";
import { findingLines } from "../validate/finding-lines.js";
import { judgeFiles } from "../validate/judge-files.js";

/** The files that would be installed, and what the repository says of the others. */
export interface Download {
  readonly files: readonly (LintedFile & { readonly content: Uint8Array })[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the files of a skill before they are installed, like `validate`, and reports findings that prevent it on
 * standard error. A file that the source has and the installation would lack is an error.
 * @throws SkillError `SKILL_INVALID` for errors, `REFUSED` for security warnings, each where they are not allowed.
 */
export function judgeDownload(
  name: string,
  { files, diagnostics }: Download,
  allowed: Allowed,
  context: CliContext,
): void {
  const content = files.find(({ path }) => path === "SKILL.md")?.content ?? new Uint8Array();
  const judged = judgeFiles(
    {
      directoryName: name,
      fileName: "SKILL.md",
      skillFile: { content },
      files: [...files, ...diagnostics.flatMap(linkedFile)],
      diagnostics: diagnostics.flatMap(missingFile),
    },
    { profile: "spec", shown: (path) => `${name}/${path}` },
  );
  const found = standingInTheWay(judged, allowed);
  if (!found) return;
  context.remark(...findingLines(found.judged, { style: context.errorStyle, width: context.width }));
  const flag = found.isError ? "--allow-errors" : "--allow-warnings";
  throw new SkillError(
    found.isError ? "SKILL_INVALID" : "REFUSED",
    `The skill "${name}" has ${found.what}. Review them, and use ${flag} to install it anyway.`,
    { details: { skill: name, codes: found.judged.findings.map(({ finding }) => finding.code) } },
  );
}

/** Links and special files, which repositories leave out, as the linter sees them in a folder. */
function linkedFile({ code, path }: Diagnostic): readonly LintedFile[] {
  if (path === undefined) return [];
  if (code === "file.link") return [{ path, kind: "link" }];
  return code === "file.special" ? [{ path, kind: "special" }] : [];
}

const MISSING: ReadonlySet<string> = new Set([
  "file.name",
  "file.twice",
  "file.unreadable",
  "file.submodule",
]);

/** Problems with files that the linter cannot see, as errors. */
function missingFile(diagnostic: Diagnostic): readonly Diagnostic[] {
  return MISSING.has(diagnostic.code) ? [{ ...diagnostic, severity: "error" }] : [];
}
