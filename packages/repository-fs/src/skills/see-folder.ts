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
  /** The directory before it was read, where that was asked for or the header of its SKILL.md was known. */
  readonly stat: BigIntStats | undefined;
  /** A time before it was read. */
  readonly now: number;
}

export interface FolderOptions extends HeadOptions {
  /** True where the stamp of the directory is wanted although the header of its SKILL.md is not known. */
  readonly isStamped: boolean;
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
  return { entries: await readDirectory(directory, dirents), ...seen, now };
}

function seeNow(directory: string, options: FolderOptions): Raw {
  const stat = isStamped(options) ? fs.lstatSync(directory, BIG) : undefined;
  const dirents = fs.readdirSync(directory, WITH_TYPES);
  const skillFile = dirents.some(isSkillFile)
    ? skillHeadNow(directory + sep + SKILL_FILE, options)
    : undefined;
  return { dirents, skillFile, stat };
}

async function seeLater(directory: string, options: FolderOptions): Promise<Raw> {
  const stat = isStamped(options) ? await fs.promises.lstat(directory, BIG) : undefined;
  const dirents = await fs.promises.readdir(directory, WITH_TYPES);
  const skillFile = dirents.some(isSkillFile)
    ? await skillHead(directory + sep + SKILL_FILE, options)
    : undefined;
  return { dirents, skillFile, stat };
}

function isStamped({ known, isStamped }: FolderOptions): boolean {
  return isStamped || known !== undefined;
}

function isSkillFile(dirent: Dirent): boolean {
  return dirent.name === SKILL_FILE && dirent.isFile();
}
