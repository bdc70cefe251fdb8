import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, type Stats } from "node:fs";
import { join } from "node:path";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { StagedSkill } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { unreachablePart } from "../host/reachable.js";
import { ownDirectory } from "../storage/own-directory.js";
import { removeTree } from "../storage/remove-tree.js";
import type { StagedRecord } from "../storage/workspace-record.js";
import { copyDirectory } from "./copy-directory.js";
import { type CopyRights, closeDirectory, READ_ONLY, writableBy } from "./copy-rights.js";
import { writeSkill } from "./write-skill.js";

/** Where a workspace's skills are staged. */
export interface SkillsPlace {
  /** `<tree>/skills`. */
  readonly skills: string;
  /** A directory on the same file system that is invisible to commands. It may be missing. */
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
  readonly beforeSwap: () => void;
}

/**
 * Stages a skill: creates only a mount point where its own directory can be mounted, otherwise a copy. An existing one
 * is replaced; a run in progress keeps what it has mounted. Synchronous but for copies: each call takes microseconds.
 */
export async function placeSkill(
  skill: StagedSkill,
  place: SkillsPlace,
  { beforeSwap, ...options }: PlaceOptions,
): Promise<StagedRecord> {
  const { name, digest, directory } = skill;
  if (directory !== undefined) checkDirectory(name, directory);
  const shown =
    directory !== undefined && place.bind && !place.copies && isReachable(directory, place.credentials);
  const target = join(place.skills, name);
  if (shown && isMountPoint(target)) return { digest, directory };
  const rights = place.copies ? writableBy(place.copies.owner) : READ_ONLY;
  const fresh = join(ownDirectory(place.incoming), randomBytes(12).toString("hex"));
  try {
    if (shown) mkdirSync(fresh);
    else if (directory !== undefined) await copyDirectory(directory, fresh, { ...options, rights });
    else await writeSkill(skill.files(), fresh, { ...options, rights });
    beforeSwap();
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
  const trash = join(ownDirectory(incoming), randomBytes(12).toString("hex"));
  if (movedAway(join(skills, name), trash)) await removeTree(trash);
}

/** Two renames, between which the place is empty for a moment: directories cannot be exchanged atomically. */
async function swapIn(
  fresh: string,
  target: string,
  { incoming, rights }: { incoming: string; rights: CopyRights },
): Promise<void> {
  const trash = join(incoming, randomBytes(12).toString("hex"));
  const replaced = movedAway(target, trash);
  renameSync(fresh, target);
  closeDirectory(target, rights);
  if (replaced) await removeTree(trash);
}

/** False where there was nothing. A directory must be writable to be moved into another one. */
function movedAway(from: string, to: string): boolean {
  const found = look(from);
  if (!found) return false;
  if (found.isDirectory()) chmodSync(from, 0o755);
  renameSync(from, to);
  return true;
}

/** True for an empty directory, which is created where there is nothing. */
function isMountPoint(path: string): boolean {
  try {
    if (!look(path)) {
      mkdirSync(path);
      closeDirectory(path, READ_ONLY);
    }
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** `undefined` for what is not there or cannot be seen. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function checkDirectory(name: string, directory: string): void {
  const found = directory.startsWith("/") ? look(directory) : undefined;
  if (found?.isDirectory()) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The skill "${name}" cannot be staged from ${directory}: it is not the absolute path of a directory.`,
    { details: { skill: name, directory } },
  );
}

/** A root host's own directories may be inaccessible to the user that commands run as; that user then gets a copy. */
function isReachable(directory: string, user: Credentials | undefined): boolean {
  if (!user) return true;
  if (unreachablePart(directory, user)) return false;
  const manifest = join(directory, "SKILL.md");
  return !look(manifest) || unreachablePart(manifest, user) === undefined;
}
