import { type Diagnostic, type ValidationProfile, validateSkill } from "@skillwright/core";
import { type LintedFile, type LintFinding, lintSkill } from "@skillwright/lint";
import type { JudgedSkill, PlacedFinding } from "./judged-skill.js";
import { sourceTexts } from "./source-texts.js";

/** A skill as a folder or a repository gives it. */
export interface GivenSkill {
  readonly directoryName: string;
  /** `SKILL.md`, or that in another case. */
  readonly fileName: string;
  /** Its bytes, or the reason why there are none. */
  readonly skillFile: { readonly content: Uint8Array } | { readonly finding: Diagnostic };
  /** All files in the linter's form; missing where only SKILL.md is judged. */
  readonly files?: readonly LintedFile[];
  /** False if the skill has more files than are given. */
  readonly complete?: boolean;
  /** Problems that were found while the files were read. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface JudgeFilesOptions {
  readonly profile: ValidationProfile;
  /** The shown path of a file of the skill. */
  readonly shown: (path: string) => string;
}

/**
 * Validates and lints one skill. `validate`, `pack`, `publish`, `install` and `update` all judge by this function.
 */
export function judgeFiles(given: GivenSkill, { profile, shown }: JudgeFilesOptions): JudgedSkill {
  const { directoryName, fileName, skillFile, files, diagnostics = [] } = given;
  const read = "content" in skillFile ? skillFile.content : undefined;
  const about =
    "finding" in skillFile
      ? [skillFile.finding]
      : validateSkill(skillFile.content, { directoryName, profile });
  const own = [...about, ...fileNameFindings(fileName)].map((finding) => ({ ...finding, path: fileName }));
  const linted = files ? lintFindings(given, files) : [];
  const sources = sourceTexts(files ?? [], linted, {
    fileName,
    content: !files || isLinted(files, fileName) ? read : undefined,
  });
  const findings = [
    ...own.map((finding) => place(finding, sources.own(finding))),
    ...[...diagnostics, ...linted].map((finding) => place(finding, sources.linted(finding))),
  ];
  return {
    path: shown(fileName),
    valid: findings.every(({ finding }) => finding.severity !== "error"),
    findings: sorted(findings, fileName),
  };

  function place(finding: LintFinding, source: PlacedFinding["source"]): PlacedFinding {
    return { finding, file: shown(finding.path ?? fileName), ...(source && { source }) };
  }
}

/** The linter recognises SKILL.md only by that name; a file in another case is passed under it. */
function lintFindings(
  { directoryName, fileName, complete = true }: GivenSkill,
  given: readonly LintedFile[],
): readonly LintFinding[] {
  const hasExact = given.some(({ path }) => path === "SKILL.md");
  const files: readonly LintedFile[] = hasExact
    ? given
    : given.map((file) => (file.path === fileName ? { ...file, path: "SKILL.md" } : file));
  const findings = lintSkill({ directoryName, files, filesComplete: complete });
  if (hasExact) return findings;
  return findings.map((finding) => (finding.path === "SKILL.md" ? { ...finding, path: fileName } : finding));
}

/** A SKILL.md that is a link is not linted, so that its secrets are not masked and its lines must not be shown. */
function isLinted(files: readonly LintedFile[], fileName: string): boolean {
  return files.some(({ path, content }) => path === fileName && content !== undefined);
}

function fileNameFindings(name: string): readonly Diagnostic[] {
  if (name === "SKILL.md") return [];
  return [
    {
      code: "file.name-not-exact",
      severity: "error",
      message: `The file is called ${name}; repositories load a skill only from a file called SKILL.md.`,
      hint: "Rename it to SKILL.md.",
      path: name,
    },
  ];
}

function sorted(findings: readonly PlacedFinding[], fileName: string): readonly PlacedFinding[] {
  const rank = ({ finding: { path } }: PlacedFinding) =>
    path === undefined || path === fileName ? "" : path;
  return findings.toSorted((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
    return (a.finding.line ?? 0) - (b.finding.line ?? 0) || (a.finding.column ?? 0) - (b.finding.column ?? 0);
  });
}
