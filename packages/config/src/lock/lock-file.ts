import { isSkillName, SkillError } from "@skillwright/core";
import { z } from "zod";
import { configurationInvalid } from "../checking/configuration-invalid.js";
import { fieldProblems } from "../checking/schema-issue.js";

/** The conventional name of a lock file. */
export const LOCK_FILE_NAME = "skills.lock.json";

export interface LockedSkill {
  /** Source text in the form of `skillSource`; a folder is relative to the lock file's. Never contains credentials. */
  readonly source: string;
  /** Present where the source keeps versions: the commit in Git, the version in a bucket. */
  readonly version?: string;
  /** Digest of the skill's manifest. */
  readonly digest: string;
}

/** The skills in use, their sources and their exact content. Contains no times, so that two branches can be merged. */
export interface LockFile {
  readonly formatVersion: 1;
  /** Sorted by name. */
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

const lockedSkill = z.strictObject({
  source: z.string().min(1),
  version: z.string().min(1).optional(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, "sha256: and 64 hexadecimal digits"),
});

const lockFile = z.strictObject({
  formatVersion: z.literal(1),
  skills: z.record(
    z.string().refine(isSkillName, "a skill's name: lower-case letters, digits and single hyphens"),
    lockedSkill,
  ),
});

/**
 * Parses a lock file.
 * @param path Its name in messages.
 * @throws SkillError `CONFIG_INVALID` with one line per wrong field.
 */
export function parseLockFile(text: string, path: string = LOCK_FILE_NAME): LockFile {
  const read = parsed(text, path);
  const checked = lockFile.safeParse(read);
  if (!checked.success)
    throw configurationInvalid(`The lock file ${path}`, fieldProblems(checked.error.issues, read));
  return lockFileOf(Object.entries(checked.data.skills).map(([name, skill]) => [name, lockedOf(skill)]));
}

/** Serializes the file: sorted by name, ends with a line feed. The same skills give the same bytes. */
export function lockFileText(lock: LockFile): string {
  return `${JSON.stringify(lockFileOf(Object.entries(lock.skills)), undefined, 2)}\n`;
}

/** If two share a name, the last one counts. */
export function lockFileOf(skills: Iterable<readonly [string, LockedSkill]>): LockFile {
  const byName = [...new Map(skills)].sort(([one], [other]) => (one < other ? -1 : 1));
  return { formatVersion: 1, skills: Object.fromEntries(byName) };
}

function parsed(text: string, path: string): unknown {
  try {
    // Some editors write a byte order mark before the text.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `The lock file ${path} is not valid JSON. Restore it from version control, or create it again with "skillwright lock".`;
    throw new SkillError("CONFIG_INVALID", message, { cause: error });
  }
}

function lockedOf({ source, version, digest }: z.output<typeof lockedSkill>): LockedSkill {
  return version === undefined ? { source, digest } : { source, version, digest };
}
