import {
  type Diagnostic,
  type DiagnosticText,
  FILE_INSTALLED,
  pathDiagnostic,
  SKILL_LIMITS,
} from "@skillwright/core";

/** Diagnostics of a repository of directories, apart from the format of SKILL.md, by code. */
const TEXTS = {
  "repository.missing": [
    "warning",
    "The repository's folder does not exist.",
    "Create it, or correct the path.",
  ],
  "scan.depth": [
    "info",
    "Folders this deep are not searched.",
    "Move skills up, or give a root nearer to them.",
  ],
  "scan.directories": [
    "warning",
    "The search ended at the limit of folders.",
    "Give a root nearer to the skills.",
  ],
  "scan.unreadable": [
    "warning",
    "The folder may not be read.",
    "Give the user of this process the right to read it.",
  ],
  "scan.unsettled": [
    "warning",
    "The folder changed all the time while it was read.",
    "List again when it is done.",
  ],
  "scan.name": [
    "warning",
    "The folder's name cannot be used.",
    "Use plain UTF-8 names without control characters.",
  ],
  "scan.ignored": [
    "info",
    "Folders that an ignore file names are not searched.",
    "Take them out of the ignore file to use their skills.",
  ],
  "scan.no-header": [
    "info",
    "The file has no header and is no skill.",
    "Begin it with a header that has name and description, or move it.",
  ],
  "link.broken": ["warning", "The link points to nothing.", "Remove it, or restore what it points to."],
  "link.leaves-repository": [
    "warning",
    "The link leaves the repository and is not followed.",
    "Copy the folder in, or give its own place as a repository.",
  ],
  "link.duplicate": [
    "info",
    "The link leads to a folder that is listed already.",
    "Nothing; it counts once.",
  ],
  "skill-file.name": [
    "warning",
    "The file must be named SKILL.md, in this very form.",
    "Rename it to SKILL.md.",
  ],
  "skill-file.not-regular": [
    "error",
    "SKILL.md is not a regular file inside its skill.",
    "Put the file itself there, not a link that leaves the skill, a folder or a pipe.",
  ],
  "skill-file.unreadable": [
    "error",
    "SKILL.md may not be read.",
    "Give the user of this process the right to read it.",
  ],
  "skill-file.too-large": [
    "error",
    "SKILL.md is larger than it may be here.",
    "Move long text into files of its own.",
  ],
  "skill.too-many-files": [
    "error",
    `The skill has more files than are allowed here, ${SKILL_LIMITS.files} by default, or very many folders.`,
    "Take out what it does not need, or raise limits.files of the repository.",
  ],
  "skill.too-large": [
    "error",
    `The skill's files have more bytes together than are allowed here, ${SKILL_LIMITS.bytes} by default.`,
    "Take out what it does not need, or raise limits.bytes of the repository.",
  ],
  "file.name": ["warning", "The file's name cannot be used; it is left out.", "Use plain UTF-8 names."],
  "file.special": ["warning", "This is neither file nor folder; it is left out.", "Remove it."],
  "file.unreadable": ["warning", "The folder may not be read; it is left out.", "Give the right to read it."],
  "file.link": [
    "warning",
    "The link leaves the skill, leads in a circle or to nothing; it is left out.",
    "Put the file itself there.",
  ],
  "file.installed": FILE_INSTALLED,
  "file.version-control": ["info", "Records of version control are no part of the skill.", "Nothing."],
} as const satisfies Record<string, DiagnosticText>;

export type FolderDiagnosticCode = keyof typeof TEXTS;

/** Creates the diagnostic about the file or directory at `path`, relative to the skill or the repository. */
export function folderDiagnostic(code: FolderDiagnosticCode, path: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path);
}
