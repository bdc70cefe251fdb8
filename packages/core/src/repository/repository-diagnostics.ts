import { type Diagnostic, type DiagnosticText, pathDiagnostic } from "../diagnostic.js";
import { SKILL_LIMITS } from "../skill/manifest.js";

const CUT = "Move the skills up, or configure the repository with a folder closer to them.";
const GRANT = "Give the user of this process permission to read it.";
const RENAME = "Use plain UTF-8 names without control characters.";

/** Severity, message and hint of each diagnostic that repositories report, except those about the format of SKILL.md. */
const TEXTS = {
  "repository.empty": ["warning", "The Git repository has no commit.", "Push a commit, or give a branch."],
  "repository.missing": [
    "warning",
    "The repository's folder does not exist.",
    "Create it, correct the path, or choose a commit that has it.",
  ],
  "scan.depth": ["info", "Folders at this depth are not searched.", CUT],
  "scan.directories": ["warning", "The search stopped at the limit of folders.", CUT],
  "scan.entries": ["warning", "The search stopped at the limit of files in the commit.", CUT],
  "scan.unreadable": ["warning", "The folder is not readable.", GRANT],
  "scan.unsettled": ["warning", "The folder kept changing while it was read.", "List again later."],
  "scan.name": ["warning", "The folder's name cannot be used.", RENAME],
  "scan.key": [
    "warning",
    "Keys that are not canonical paths are left out; this is the first.",
    "Rename the object: no empty parts, no `..`, no control characters.",
  ],
  "scan.ignored": [
    "info",
    "Folders listed in an ignore file are not searched.",
    "Remove them from the ignore file to use their skills.",
  ],
  "scan.hidden": [
    "info",
    "Hidden folders are not searched; this is the first with a skill.",
    "Give that folder as the repository's own to use its skills.",
  ],
  "scan.no-header": [
    "info",
    "The file has no header, so it is not a skill.",
    "Add a header with name and description, or move the file.",
  ],
  "scan.link": ["info", "Symlinks in the commit are not followed; this is the first.", "Commit the folder."],
  "scan.submodule": [
    "info",
    "The submodule is not fetched.",
    "If it contains skills, give its address as a separate repository.",
  ],
  "link.broken": [
    "warning",
    "The target of the symlink does not exist.",
    "Remove it, or restore its target.",
  ],
  "link.leaves-repository": [
    "warning",
    "The symlink leaves the repository, so it is not followed.",
    "Copy the folder into the repository, give its location as a separate repository, or allow the location (linkRoots; skills.link_roots of the configuration).",
  ],
  "link.duplicate": [
    "info",
    "The symlink leads to a folder that is already listed.",
    "Nothing needs to be done; the folder is listed once.",
  ],
  "link.listed": [
    "info",
    "Symlinks lead to folders that another source lists; this is the first.",
    "Nothing needs to be done; the folders are listed once.",
  ],
  "skill-file.missing": ["error", "There is no SKILL.md.", "Add one at the top level of the skill."],
  "skill-file.name": ["warning", "The file must be named exactly SKILL.md.", "Rename it to SKILL.md."],
  "skill-file.not-regular": [
    "error",
    "SKILL.md is not a regular file inside its skill.",
    "Replace it with a regular file; symlinks that leave the skill, folders and pipes are not allowed.",
  ],
  "skill-file.unreadable": ["error", "SKILL.md is not readable.", GRANT],
  "skill-file.too-large": [
    "error",
    `SKILL.md is larger than allowed, ${SKILL_LIMITS.skillFileBytes} bytes by default.`,
    "Move long text into separate files.",
  ],
  "skill.too-many-files": [
    "error",
    `The skill has more files than allowed, ${SKILL_LIMITS.files} by default, or very many folders.`,
    "Remove what it does not need, or raise limits.files of the repository.",
  ],
  "skill.too-large": [
    "error",
    `The files of the skill have more bytes in total than allowed, ${SKILL_LIMITS.bytes} by default.`,
    "Remove what it does not need, or raise limits.bytes of the repository.",
  ],
  "file.name": ["warning", "The file's name cannot be used; it is left out.", "Use plain UTF-8 names."],
  "file.twice": [
    "warning",
    "The name exists twice, or both as a file and as a folder; this one is left out.",
    "Keep one of them.",
  ],
  "file.special": ["warning", "This is neither a file nor a folder; it is left out.", "Remove it."],
  "file.unreadable": ["warning", "The folder is not readable; it is left out.", GRANT],
  "file.link": [
    "warning",
    "The symlink is left out: it leaves the skill, is circular or broken, or symlinks are not followed here.",
    "Replace it with the file itself.",
  ],
  "file.submodule": ["warning", "A submodule is not fetched; it is left out.", "Commit its files."],
  "file.installed": [
    "info",
    "Installed packages and generated files are not part of the skill.",
    "Nothing needs to be done. If the skill needs them, remove the folder's name from leaveOut of the repository.",
  ],
  "file.version-control": ["info", "Version control data is not part of the skill.", "Nothing."],
  "publication.hides": [
    "warning",
    "A skill published or deleted under this name or path hides the plain folder.",
    "Remove the folder, or purge the published name to use the folder again.",
  ],
  "record.damaged": [
    "error",
    "The newest record of the published skill cannot be read.",
    "Publish the skill again, or roll it back.",
  ],
  "record.name": [
    "warning",
    "Objects that are stored among the records but are not records are left out; this is the first.",
    "Remove the object.",
  ],
} as const satisfies Record<string, DiagnosticText>;

export type RepositoryDiagnosticCode = keyof typeof TEXTS;

/**
 * Creates the diagnostic that repositories share for this code.
 * @param path The file or directory, relative to the skill or the repository.
 * @param about What the message shows in parentheses. Defaults to the path.
 */
export function repositoryDiagnostic(
  code: RepositoryDiagnosticCode,
  path: string,
  about: string = path,
): Diagnostic {
  return pathDiagnostic(code, TEXTS[code], path, about);
}
