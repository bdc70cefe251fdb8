import { containedPath, SkillError } from "@skillwright/core";
import { decodedText } from "../files/decoded-text.js";

const FOLDERS = ["references", "templates", "scripts", "assets"];
const MAX_SUPPORT_BYTES = 1024 * 1024;
const MAX_SKILL_FILE_CHARACTERS = 100_000;

/** A file to be added to a skill. */
export interface ProposedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** `true` is refused; scripts are run by their interpreter. */
  readonly executable?: boolean | undefined;
}

/**
 * The bytes of a file that a model may write to a skill: SKILL.md, or UTF-8 text below references/, templates/,
 * scripts/ or assets/.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for an absolute path, a hidden part or another directory;
 * `INPUT_INVALID` for an executable file and for one that is not text; `LIMIT_EXCEEDED` above 1 MiB, and for SKILL.md
 * above 100,000 characters.
 */
export function proposedBytes({ path, content, executable = false }: ProposedFile): Uint8Array {
  checkSupportPath(path);
  if (executable || startsAsProgram(content))
    throw refused(
      path,
      "is executable",
      "Leave out the executable bit and run the script with its interpreter.",
    );
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const text = typeof content === "string" ? content : undefined;
  if ((text !== undefined && /\p{Surrogate}/u.test(text)) || decodedText(bytes) === undefined)
    throw refused(path, "is not UTF-8 text", "Only text can be written here.");
  const limit = path === "SKILL.md" ? MAX_SKILL_FILE_CHARACTERS : MAX_SUPPORT_BYTES;
  const size = path === "SKILL.md" ? new TextDecoder().decode(bytes).length : bytes.byteLength;
  if (size > limit)
    throw new SkillError(
      "LIMIT_EXCEEDED",
      `"${path}" has ${size} ${path === "SKILL.md" ? "characters" : "bytes"}; at most ${limit} are allowed. Split it.`,
      { details: { path, limit } },
    );
  return bytes;
}

/** @throws SkillError as `proposedBytes`, for the path. */
export function checkSupportPath(path: string): void {
  if (containedPath(path) === "SKILL.md") return;
  const [folder = "", ...rest] = path.split("/");
  const allowed = FOLDERS.map((name) => `${name}/`).join(", ");
  const invalid = (why: string): SkillError =>
    new SkillError("PATH_INVALID", `"${path}" ${why}. Put files below ${allowed}.`, { details: { path } });
  if (path.split("/").some((part) => part.startsWith("."))) throw invalid("has a hidden part");
  if (!FOLDERS.includes(folder) || rest.length === 0)
    throw invalid("is not an allowed place for a file of a skill");
}

function startsAsProgram(content: string | Uint8Array): boolean {
  const start =
    typeof content === "string"
      ? content.slice(0, 4)
      : Buffer.from(content.subarray(0, 4)).toString("latin1");
  return start === "\x7fELF" || start.startsWith("MZ");
}

function refused(path: string, what: string, remedy: string): SkillError {
  return new SkillError("INPUT_INVALID", `"${path}" ${what}. ${remedy}`, { details: { path } });
}
