import type { Diagnostic } from "../diagnostic.js";
import { type DiagnosticText, pathDiagnostic } from "../diagnostic.js";
import { SKILL_LIMITS } from "../skill/manifest.js";

const CUT = "Move skills up, or point the repository nearer to them.";
const RENAME = "Use plain UTF-8 names without control characters.";
const PUBLISHER = "Let whoever publishes it mend it.";

/** Severity, message and hint of each diagnostic that repositories report, except those about the format of SKILL.md. */
const TEXTS = {
  "repository.empty": ["warning", "The Git repository has no commit yet.", "Push one, or name a branch."],
  "repository.missing": [
    "warning",
    "The repository's folder does not exist.",
    "Create it, correct the path, or choose a commit that has it.",
  ],
  "scan.depth": ["info", "Folders this deep are not searched.", CUT],
  "scan.directories": ["warning", "The search ended at the limit of folders.", CUT],
  "scan.entries": ["warning", "The search ended at the limit of files in the commit.", CUT],
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
  "scan.name": ["warning", "The folder's name cannot be used.", RENAME],
  "scan.key": [
    "warning",
    "Keys that are no plain paths are left out; this is the first.",
    "Rename the object: no empty parts, no `..`, no control characters.",
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
  "skill-file.missing": ["error", "There is no SKILL.md.", "Add one at the top of the skill."],
  "skill-file.name": ["warning", "The file must be named exactly SKILL.md.", "Rename it to SKILL.md."],
  "skill-file.not-regular": [
    "error",
    "SKILL.md is not a regular file inside its skill.",
    "Put the file itself there, not a link that leaves the skill, a folder or a pipe.",
  ],
  "skill-file.unreadable": ["error", "SKILL.md may not be read.", "Give the right to read it."],
  "skill-file.too-large": [
    "error",
    `SKILL.md is larger than allowed here, ${SKILL_LIMITS.skillFileBytes} bytes by default.`,
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
  "file.twice": [
    "warning",
    "The name is there twice, or as a file and as a folder; this one is left out.",
    "Keep one of them.",
  ],
  "file.special": ["warning", "This is neither file nor folder; it is left out.", "Remove it."],
  "file.unreadable": ["warning", "The folder may not be read; it is left out.", "Give the right to read it."],
  "file.link": [
    "warning",
    "The link is left out: it leaves the skill, leads in a circle or to nothing, or links are not followed here.",
    "Put the file itself there.",
  ],
  "file.submodule": [
    "warning",
    "A submodule is not fetched; it is left out.",
    "Commit its files themselves.",
  ],
  "file.installed": [
    "info",
    "Installed packages and what is made by running are no part of the skill.",
    "Nothing; where the skill needs them, take the folder's name out of leaveOut of the repository.",
  ],
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
  "index.entry": ["error", "The entry of the index cannot be read.", PUBLISHER],
  "index.name": [
    "error",
    "The name in the index is none the standard allows.",
    "Use 1 to 64 lower-case letters a to z, digits and single hyphens.",
  ],
  "index.twice": ["error", "The name is in the index twice; the first is used.", "Keep one of them."],
  "index.files": [
    "error",
    "The entry has no usable list of files.",
    "List plain paths relative to the skill.",
  ],
  "index.digest": [
    "error",
    "The entry has no usable digest, without which nothing is fetched.",
    'Give "sha256:" and 64 hexadecimal digits.',
  ],
  "index.url": ["error", "The entry has no usable address.", "Give one, absolute or relative to the index."],
  "index.type": ["warning", "The entry is left out, as its type is not known.", "Use skill-md or archive."],
  "index.cut": [
    "warning",
    "The index has more skills than are looked at; the last ones are left out.",
    "Allow more as limits.entries, or give another index.",
  ],
  "index.name-taken": [
    "error",
    "SKILL.md has the name of another entry of the index, which alone may have it.",
    "Give the skill the name that the index has for it.",
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
