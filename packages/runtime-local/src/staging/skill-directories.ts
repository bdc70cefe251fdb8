import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { StagedSkill } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { unreachablePart } from "../host/reachable.js";
import { removeTree } from "../storage/remove-tree.js";
import type { StagedRecord } from "../storage/workspace-record.js";
import { copyDirectory } from "./copy-directory.js";
import { type CopyRights, closeDirectory, READ_ONLY, writableBy } from "./copy-rights.js";
import { writeSkill } from "./write-skill.js";

/** Where a workspace's skills are staged. */
export interface SkillsPlace {
  /** `<tree>/skills`. */
  readonly skills: string;
  /** A directory on the same file system that is invisible to commands. */
  readonly incoming: string;
  /** True where a directory elsewhere can be mounted while a command runs. */
  readonly bind: boolean;
  /** The user that the launcher runs as, if not this process's user. */
  readonly credentials: Credentials | undefined;
  /** Owner of copies that commands may write to; `undefined` where they may not. */
  readonly copies: { readonly owner: Credentials | undefined } | undefined;
}

export interface PlaceOptions extends CallOptions {
  /** Called when the new one is complete and the old one is about to be removed. */
  readonly beforeSwap: () => Promise<void>;
}

/**
 * Stages a skill: creates only a mount point where its own directory can be mounted, otherwise a copy. An existing one
 * is replaced; a run in progress keeps what it has mounted.
 */
export async function placeSkill(
  skill: StagedSkill,
  place: SkillsPlace,
  { beforeSwap, ...options }: PlaceOptions,
): Promise<StagedRecord> {
  const { name, digest, directory } = skill;
  if (directory !== undefined) await checkDirectory(name, directory);
  const shown =
    directory !== undefined &&
    place.bind &&
    !place.copies &&
    (await isReachable(directory, place.credentials));
  const target = join(place.skills, name);
  if (shown && (await isEmptyDirectory(target))) return { digest, directory };
  const rights = place.copies ? writableBy(place.copies.owner) : READ_ONLY;
  const fresh = join(place.incoming, randomBytes(12).toString("hex"));
  try {
    if (shown) await mkdir(fresh);
    else if (directory !== undefined) await copyDirectory(directory, fresh, { ...options, rights });
    else await writeSkill(skill.files(), fresh, { ...options, rights });
    await beforeSwap();
    await swapIn(fresh, target, { incoming: place.incoming, rights });
  } catch (error) {
    await removeTree(fresh);
    throw SkillError.from(error, `Staging the skill "${name}"`);
  }
  if (shown) return { digest, directory };
  return place.copies ? { digest, writable: true } : { digest };
}

/** Removes the skill; does nothing where there is none. */
export async function removeSkill(
  name: string,
  { skills, incoming }: Pick<SkillsPlace, "skills" | "incoming">,
): Promise<void> {
  const trash = join(incoming, randomBytes(12).toString("hex"));
  if (await movedAway(join(skills, name), trash)) await removeTree(trash);
}

/** Two renames, between which the place is empty for a moment: directories cannot be exchanged atomically. */
async function swapIn(
  fresh: string,
  target: string,
  { incoming, rights }: { incoming: string; rights: CopyRights },
): Promise<void> {
  const trash = join(incoming, randomBytes(12).toString("hex"));
  const replaced = await movedAway(target, trash);
  await rename(fresh, target);
  closeDirectory(target, rights);
  if (replaced) await removeTree(trash);
}

/** False where there was nothing. A directory must be writable to be moved into another one. */
async function movedAway(from: string, to: string): Promise<boolean> {
  const found = await lstat(from).catch(() => undefined);
  if (!found) return false;
  if (found.isDirectory()) await chmod(from, 0o755);
  await rename(from, to);
  return true;
}

async function isEmptyDirectory(path: string): Promise<boolean> {
  return await readdir(path).then(
    (names) => names.length === 0,
    () => false,
  );
}

async function checkDirectory(name: string, directory: string): Promise<void> {
  const found = directory.startsWith("/") ? await lstat(directory).catch(() => undefined) : undefined;
  if (found?.isDirectory()) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The skill "${name}" cannot be staged from ${directory}: it is not the absolute path of a directory.`,
    { details: { skill: name, directory } },
  );
}

/** A root host's own directories may be inaccessible to the user that commands run as; that user then gets a copy. */
async function isReachable(directory: string, user: Credentials | undefined): Promise<boolean> {
  if (!user) return true;
  if (await unreachablePart(directory, user)) return false;
  const manifest = join(directory, "SKILL.md");
  const there = await lstat(manifest).catch(() => undefined);
  return !there || (await unreachablePart(manifest, user)) === undefined;
}
