import { createHash, hash as digestOf } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { join } from "node:path";
import {
  type BrokenSkill,
  type ManifestFile,
  manifestDigest,
  type ParseSkillResult,
  SKILL_LIMITS,
  type Skill,
  type SkillSummary,
  skillManifest,
} from "@skillwright/core";
import { checkAborted, deepFreeze, isSummary, parseLoadedSkill } from "@skillwright/core/adapter";
import { ChangedMeanwhile } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { readUnchanged, type SeenFile } from "../files/read-unchanged.js";
import { withRegularFile } from "../files/regular-file.js";
import { isSameStamp, isSettled, stampOf } from "../files/stamp.js";
import type { FolderPlace, SkillFolder } from "./folder-place.js";
import { type HeaderMemory, readSummary } from "./read-summary.js";
import type { SkillFile } from "./skill-files.js";
import { skillFolders } from "./skill-folder.js";

const FILES_AT_ONCE = 32;
const MAX_PIECE_BYTES = 64 * 1024;
/** Enough for the skills of a few hundred conversations; each takes about as much memory as its SKILL.md. */
const MAX_REMEMBERED = 256;

/** What is remembered of loaded skills, by path. */
export interface LoadMemory {
  readonly headers: HeaderMemory;
  /** Maximum size of SKILL.md. */
  readonly skillFileBytes: number;
  readonly skills: Map<string, LoadedSkill>;
}

/** Memory for a reader that remembers nothing. */
export function freshMemory(): LoadMemory {
  return { headers: new Map(), skills: new Map(), skillFileBytes: SKILL_LIMITS.skillFileBytes };
}

interface LoadedSkill {
  readonly skill: Skill;
  readonly parsed: ParseSkillResult;
  /** Hashes by path and stamp, of files that had not been changed shortly before they were read. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The files at the time of loading, by path. */
  readonly places: ReadonlyMap<string, SeenFile>;
}

/**
 * The summary that a listing would give for the place now. Rejects with `ChangedMeanwhile`, or with a system error,
 * when it was replaced meanwhile or is no skill any more.
 */
export async function placeSummary(
  place: FolderPlace,
  { headers, skillFileBytes }: LoadMemory,
  signal: AbortSignal | undefined,
): Promise<SkillSummary | BrokenSkill> {
  return (await seenFolder(place, { headers, skillFileBytes }, signal)).summary;
}

/**
 * The full, consistent skill at the place. Rejects with `ChangedMeanwhile`, or with a system error, when it was
 * replaced while it was read. Files with a known stamp are not read again.
 */
export async function loadFolder(
  place: FolderPlace,
  memory: LoadMemory,
  signal: AbortSignal | undefined,
): Promise<Skill | BrokenSkill> {
  const { before, folder, summary } = await seenFolder(place, memory, signal);
  if (!isSummary(summary)) return summary;
  const known = memory.skills.get(place.path);
  const isSettledYet = known?.hashes.size === folder.files.length;
  if (known && isSettledYet && known.skill.changeMark === summary.changeMark) return known.skill;

  const { files, hashes } = await manifestFiles(folder.files, known?.hashes, signal);
  const parsed = await parsedSkillFile(folder, known);
  if ((await lstat(place.directory)).ino !== before.ino) throw new ChangedMeanwhile();
  const manifest = skillManifest(files);
  const skill = deepFreeze({
    ...summary,
    diagnostics: [...parsed.diagnostics, ...folder.diagnostics],
    body: parsed.skill?.body ?? "",
    manifest,
    digest: manifestDigest(manifest),
  });
  const sums = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const places = new Map(
    folder.files.map(({ path, location, stat }): [string, SeenFile] => {
      const same = { sha256: sums.get(path) ?? "" };
      return [path, { location, size: Number(stat.size), same }];
    }),
  );
  remember(memory, place.path, { skill, parsed, hashes, places });
  return skill;
}

async function seenFolder(
  place: FolderPlace,
  { headers, skillFileBytes }: Pick<LoadMemory, "headers" | "skillFileBytes">,
  signal: AbortSignal | undefined,
): Promise<{ before: BigIntStats; folder: SkillFolder; summary: SkillSummary | BrokenSkill }> {
  const before = await lstat(place.directory);
  // A directory without SKILL.md is not a broken skill but none at all.
  if (!place.flat) await lstat(join(place.directory, "SKILL.md"));
  const [folder] = (await skillFolders(place, signal)).folders;
  if (!folder) throw new ChangedMeanwhile();
  const summary = await readSummary(folder, headers, skillFileBytes);
  // A directory looks broken when another process moves it away and empties it during the read.
  if (!isSummary(summary) && !isSameStamp(await lstat(place.directory), before)) throw new ChangedMeanwhile();
  return { before, folder, summary };
}

async function manifestFiles(
  found: readonly SkillFile[],
  known: ReadonlyMap<string, string> | undefined,
  signal: AbortSignal | undefined,
): Promise<{ files: ManifestFile[]; hashes: Map<string, string> }> {
  const now = Date.now();
  const hashes = new Map<string, string>();
  const files: ManifestFile[] = [];
  for (let from = 0; from < found.length; from += FILES_AT_ONCE) {
    checkAborted(signal);
    const some = found.slice(from, from + FILES_AT_ONCE);
    const sums = await hashesOf(some, known);
    for (const [index, file] of some.entries()) {
      const { path, stat } = file;
      const sha256 = sums[index] ?? (await hashFile(file));
      if (isSettled(stat, now)) hashes.set(keyOf(file), sha256);
      files.push({ path, size: Number(stat.size), executable: (stat.mode & 0o111n) !== 0n, sha256 });
    }
  }
  return { files, hashes };
}

/** Hashes of known and of small files; the others are read piece by piece. */
async function hashesOf(
  files: readonly SkillFile[],
  known: ReadonlyMap<string, string> | undefined,
): Promise<(string | undefined)[]> {
  const sums = files.map((file) => known?.get(keyOf(file)));
  const fresh = files.flatMap((file, index) => (sums[index] === undefined ? [{ ...file, index }] : []));
  const seen = fresh.map(({ location, stat }) => ({
    location,
    size: Number(stat.size),
    same: { stamp: stampOf(stat) },
  }));
  const contents = seen.length === 0 ? [] : await readUnchanged(seen);
  for (const [at, bytes] of contents.entries())
    if (bytes) sums[fresh[at]?.index ?? -1] = digestOf("sha256", bytes, "hex");
  return sums;
}

function keyOf({ path, stat }: SkillFile): string {
  return `${path}\0${stampOf(stat)}`;
}

async function hashFile({ location, stat }: SkillFile): Promise<string> {
  const hash = createHash("sha256");
  const size = await withRegularFile(location, async (file) => {
    if (stampOf(file.stat) !== stampOf(stat)) throw new ChangedMeanwhile();
    // Most files are small: a buffer that is not filled was the last.
    const buffer = new Uint8Array(Math.min(Number(stat.size) + 1, MAX_PIECE_BYTES));
    let read = 0n;
    for (let filled = buffer.byteLength; filled === buffer.byteLength; ) {
      const piece = await file.read(buffer);
      filled = piece.byteLength;
      hash.update(piece);
      read += BigInt(filled);
    }
    return read;
  });
  if (size !== stat.size) throw new ChangedMeanwhile();
  return hash.digest("hex");
}

/** Reads SKILL.md to its end, to determine whether all of it is UTF-8. */
async function parsedSkillFile(
  { files, name }: SkillFolder,
  known: LoadedSkill | undefined,
): Promise<ParseSkillResult> {
  const skillFile = files.find(({ path }) => path === "SKILL.md");
  if (!skillFile) throw new ChangedMeanwhile();
  if (known?.hashes.has(keyOf(skillFile))) return known.parsed;
  const { location, stat } = skillFile;
  const bytes = await withRegularFile(location, async (file) =>
    isSameStamp(file.stat, stat) ? await file.read(new Uint8Array(Number(stat.size))) : undefined,
  );
  if (!bytes) throw new ChangedMeanwhile();
  return parseLoadedSkill(bytes, { directoryName: name });
}

function remember({ skills }: LoadMemory, path: string, loaded: LoadedSkill): void {
  skills.delete(path);
  skills.set(path, loaded);
  const [oldest] = skills.keys();
  if (skills.size > MAX_REMEMBERED && oldest !== undefined) skills.delete(oldest);
}
