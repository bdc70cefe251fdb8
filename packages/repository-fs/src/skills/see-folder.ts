import fs, { type BigIntStats, type Dirent } from "node:fs";
import { sep } from "node:path";
import { atOnce } from "../files/at-once.js";
import { type DirectoryEntry, readDirectory } from "../files/read-directory.js";
import { type HeadOptions, type SeenSkillFile, skillHead, skillHeadNow } from "./skill-head.js";

export const SKILL_FILE = "SKILL.md";

/** What was read of a directory. */
export interface SeenFolder {
  readonly entries: readonly DirectoryEntry[];
  /** Missing where SKILL.md is no regular file, or there is none. */
  readonly skillFile: SeenSkillFile | undefined;
  /** The directory before it was read, where the header of its SKILL.md was known. */
  readonly stat: BigIntStats | undefined;
  /** A time before it was read. */
  readonly now: number;
  /** The function of the options, for the directories inside of this one. */
  readonly beforeReading: BeforeReading | undefined;
}

/**
 * Called with each directory before a scan reads it, so that the directory can be watched from then on. `nth` counts the directories of
 * a skill in the order in which they are read, from 1; it is 1 for directories outside of skills.
 */
export type BeforeReading = (directory: string, nth: number) => void;

export interface FolderOptions extends HeadOptions {
  readonly beforeReading: BeforeReading | undefined;
}

interface Raw extends Pick<SeenFolder, "skillFile" | "stat"> {
  readonly dirents: readonly Dirent[];
}

const WITH_TYPES = { withFileTypes: true } as const;
const BIG = { bigint: true } as const;
const CALLS = 6;

/** Reads a directory and the head of its SKILL.md, in one call, because a listing does that for each skill. */
export async function seeFolder(directory: string, options: FolderOptions): Promise<SeenFolder> {
  const now = Date.now();
  const { dirents, ...seen } = await atOnce(
    () => seeNow(directory, options),
    (done) =>
      void seeLater(directory, options).then(
        (raw) => done(null, raw),
        (error: Error) => done(error, undefined as never),
      ),
    CALLS,
  );
  return {
    entries: await readDirectory(directory, dirents),
    ...seen,
    now,
    beforeReading: options.beforeReading,
  };
}

function seeNow(directory: string, options: FolderOptions): Raw {
  options.beforeReading?.(directory, 1);
  const stat = options.known && fs.lstatSync(directory, BIG);
  const dirents = fs.readdirSync(directory, WITH_TYPES);
  const skillFile = dirents.some(isSkillFile)
    ? skillHeadNow(directory + sep + SKILL_FILE, options)
    : undefined;
  return { dirents, skillFile, stat };
}

async function seeLater(directory: string, options: FolderOptions): Promise<Raw> {
  options.beforeReading?.(directory, 1);
  const stat = options.known && (await fs.promises.lstat(directory, BIG));
  const dirents = await fs.promises.readdir(directory, WITH_TYPES);
  const skillFile = dirents.some(isSkillFile)
    ? await skillHead(directory + sep + SKILL_FILE, options)
    : undefined;
  return { dirents, skillFile, stat };
}

function isSkillFile(dirent: Dirent): boolean {
  return dirent.name === SKILL_FILE && dirent.isFile();
}
