import {
  type Diagnostic,
  type DiagnosticText,
  FILE_INSTALLED,
  pathDiagnostic,
  SKILL_LIMITS,
} from "@skillwright/core";

/**
 * Diagnostics of a Git repository, apart from the format of SKILL.md, by code. The same as for folders where they have
 * the same meaning.
 */
const TEXTS = {
  "repository.empty": ["warning", "The Git repository has no commit yet.", "Push one, or name a branch."],
  "repository.missing": [
    "warning",
    "The commit has no folder at the repository's path.",
    "Correct the path, or choose a commit that has it.",
  ],
  "scan.depth": [
    "info",
    "Folders this deep are not searched.",
    "Move skills up, or give a path nearer to them.",
  ],
  "scan.entries": [
    "warning",
    "The search ended at the limit of files in the commit.",
    "Give a path nearer to the skills.",
  ],
  "scan.name": [
    "warning",
    "The folder's name cannot be used.",
    "Use plain UTF-8 names without control characters.",
  ],
  "scan.link": [
    "info",
    "Links in the commit are not followed; this is the first.",
    "Commit the folder itself.",
  ],
  "scan.submodule": [
    "info",
    "The submodule is not fetched.",
    "Give its own address as a repository, if there are skills in it.",
  ],
  "skill-file.name": [
    "warning",
    "The file must be named SKILL.md, in this very form.",
    "Rename it to SKILL.md.",
  ],
  "skill-file.not-regular": [
    "error",
    "SKILL.md is not a regular file.",
    "Commit the file itself, not a link or folder.",
  ],
  "skill-file.too-large": [
    "error",
    `SKILL.md is larger than ${SKILL_LIMITS.skillFileBytes} bytes.`,
    "Move long text into files of its own.",
  ],
  "skill.too-many-files": [
    "error",
    `The skill has more files than are allowed here, ${SKILL_LIMITS.files} by default.`,
    "Take out what it does not need, or raise limits.files of the repository.",
  ],
  "skill.too-large": [
    "error",
    `The skill's files have more bytes together than are allowed here, ${SKILL_LIMITS.bytes} by default.`,
    "Take out what it does not need, or raise limits.bytes of the repository.",
  ],
  "file.name": ["warning", "The file's name cannot be used; it is left out.", "Use plain UTF-8 names."],
  "file.twice": [
    "warning",
    "The name is there twice; the second is left out.",
    "Repair the commit and keep one.",
  ],
  "file.link": ["warning", "Links are not followed; it is left out.", "Commit the file itself."],
  "file.submodule": [
    "warning",
    "A submodule is not fetched; it is left out.",
    "Commit its files themselves.",
  ],
  "file.installed": FILE_INSTALLED,
  "file.version-control": ["info", "Records of version control are no part of the skill.", "Nothing."],
} as const satisfies Record<string, DiagnosticText>;

export type TreeDiagnosticCode = keyof typeof TEXTS;

/** Creates the diagnostic about the file or folder at `path`, relative to the skill or the repository. */
export function treeDiagnostic(code: TreeDiagnosticCode, path: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path);
}
