import { basename, dirname, join, relative } from "node:path";
import { type Diagnostic, type ValidationProfile, validateSkill } from "@skillwright/core";
import { type LintedFile, type LintFinding, lintSkill } from "@skillwright/lint";
import type { NeedsPlace } from "../environments/skill-needs.js";
import { folderNeeds } from "./folder-needs.js";
import type { JudgedSkill, PlacedFinding } from "./judged-skill.js";
import { readSkillFile } from "./read-skill-file.js";
import { skillFolderFiles } from "./skill-folder-files.js";
import { sourceTexts } from "./source-texts.js";

export interface JudgeOptions {
  /** Base of reported paths. */
  readonly cwd: string;
  readonly profile: ValidationProfile;
  /** True where every file of the skill's folder is read and linted. */
  readonly lint: boolean;
  /** Folders below the skill that are validated as separate skills, so that nothing is reported twice. */
  readonly skillFolders?: ReadonlySet<string>;
  /** Where the skill's needs are looked up; without it they are not read. */
  readonly needs?: NeedsPlace;
}

/**
 * Validates one SKILL.md, given by its absolute path, and the folder around it. Unreadable files are findings, not
 * errors. Links are never followed below the folder.
 */
export async function judgeSkill(path: string, options: JudgeOptions): Promise<JudgedSkill> {
  const { profile, lint } = options;
  const directory = dirname(path);
  const fileName = basename(path);
  const directoryName = basename(directory);
  const read = await readSkillFile(path);
  const judged = "finding" in read ? [read.finding] : validateSkill(read.content, { directoryName, profile });
  const own = [...judged, ...fileNameFindings(fileName)].map((finding) => ({ ...finding, path: fileName }));
  const folder = lint ? await skillFolderFiles(directory, options.skillFolders) : NO_FOLDER;
  const linted = lint ? lintFindings(directoryName, fileName, folder) : [];

  const sources = sourceTexts(folder.files, linted, {
    fileName,
    content: "content" in read && (!lint || isLinted(folder, fileName)) ? read.content : undefined,
  });
  const findings = [
    ...own.map((finding) => place(finding, sources.own(finding))),
    ...[...folder.diagnostics, ...linted].map((finding) => place(finding, sources.linted(finding))),
  ];
  const valid = findings.every(({ finding }) => finding.severity !== "error");
  const content = "content" in read ? read.content : undefined;
  const needs = options.needs && (await folderNeeds(directoryName, content, folder.files, options.needs));
  return {
    ...{ path: shownPath(path, options.cwd), valid, findings: sorted(findings, fileName) },
    ...(needs && { needs }),
  };

  function place(finding: LintFinding, source: PlacedFinding["source"]): PlacedFinding {
    const file = shownPath(join(directory, finding.path ?? fileName), options.cwd);
    return { finding, file, ...(source && { source }) };
  }
}

type Folder = Awaited<ReturnType<typeof skillFolderFiles>>;
const NO_FOLDER: Folder = { files: [], complete: false, diagnostics: [] };

/** The linter recognises SKILL.md only by that name; a file in another case is passed under it. */
function lintFindings(directoryName: string, fileName: string, folder: Folder): readonly LintFinding[] {
  const hasExact = folder.files.some(({ path }) => path === "SKILL.md");
  const files: readonly LintedFile[] = hasExact
    ? folder.files
    : folder.files.map((file) => (file.path === fileName ? { ...file, path: "SKILL.md" } : file));
  const findings = lintSkill({ directoryName, files, filesComplete: folder.complete });
  if (hasExact) return findings;
  return findings.map((finding) => (finding.path === "SKILL.md" ? { ...finding, path: fileName } : finding));
}

/** A SKILL.md that is a link is not linted, so that its secrets are not masked and its lines must not be shown. */
function isLinted({ files }: Folder, fileName: string): boolean {
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

function shownPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith("..") ? path : fromHere;
}

function sorted(findings: readonly PlacedFinding[], fileName: string): readonly PlacedFinding[] {
  const rank = ({ finding: { path } }: PlacedFinding) =>
    path === undefined || path === fileName ? "" : path;
  return findings.toSorted((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) < rank(b) ? -1 : 1;
    return (a.finding.line ?? 0) - (b.finding.line ?? 0) || (a.finding.column ?? 0) - (b.finding.column ?? 0);
  });
}
