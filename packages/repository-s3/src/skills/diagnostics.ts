import {
  type Diagnostic,
  type DiagnosticText,
  FILE_INSTALLED,
  pathDiagnostic,
  SKILL_LIMITS,
} from "@skillwright/core";

/**
 * Diagnostics of a repository in a bucket, apart from the format of SKILL.md, by code. The same as for folders where
 * they have the same meaning.
 */
const TEXTS = {
  "scan.depth": [
    "info",
    "Folders this deep are not searched.",
    "Move skills up, or give a prefix nearer to them.",
  ],
  "scan.name": [
    "warning",
    "The folder's name cannot be used.",
    "Use plain UTF-8 names without control characters.",
  ],
  "scan.key": [
    "warning",
    "Keys that are no plain paths are left out; this is the first.",
    "Rename the object: no empty parts, no `..`, no control characters.",
  ],
  "skill-file.name": [
    "warning",
    "The file must be named SKILL.md, in this very form.",
    "Rename it to SKILL.md.",
  ],
  "skill-file.unreadable": [
    "error",
    "SKILL.md may not be read.",
    "Give the credentials the right to read the object.",
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
    "The name is there as a file and as a folder; this is left out.",
    "Rename one of them.",
  ],
  "file.installed": FILE_INSTALLED,
  "file.version-control": ["info", "Records of version control are no part of the skill.", "Nothing."],
  "publication.hides": [
    "warning",
    "A skill that was published or deleted under this name or at this place hides the plain folder.",
    "Remove the folder, or purge the published name to use the folder again.",
  ],
  "record.damaged": [
    "error",
    "The newest record of the published skill cannot be read.",
    "Publish the skill again, or roll it back.",
  ],
  "record.name": [
    "warning",
    "Objects among the records that are no records are left out; this is the first.",
    "Remove the object.",
  ],
} as const satisfies Record<string, DiagnosticText>;

export type BucketDiagnosticCode = keyof typeof TEXTS;

/** Creates the diagnostic about the file or folder at `path`, relative to the skill or the repository. */
export function bucketDiagnostic(code: BucketDiagnosticCode, path: string): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path);
}
