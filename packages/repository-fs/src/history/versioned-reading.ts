import {
  type ByteStream,
  type Skill,
  SkillError,
  type SkillReader,
  type SkillVersion,
} from "@skillwright/core";
import { isGone } from "../files/errno.js";
import type { FolderPlace } from "../skills/folder-place.js";
import { loadFolder } from "../skills/load-folder.js";
import { openFile } from "../skills/open-file.js";
import type { SkillIndex } from "../skills/skill-index.js";
import { skillReader } from "../skills/skill-reader.js";
import {
  type KeptVersion,
  keptVersion,
  type LiveSkill,
  loadKept,
  notKept,
  versionsOf,
  withVersion,
} from "./skill-versions.js";

type Signal = AbortSignal | undefined;

/** Reads versions of skills: the content in place, or an earlier one from the history. */
export interface VersionedReading {
  list(name: string, signal: Signal): Promise<readonly SkillVersion[]>;
  /** @throws SkillError `SKILL_NOT_FOUND` where the version is not kept, as the other methods. */
  load(name: string, version: string, signal: Signal): Promise<Skill>;
  open(name: string, path: string, version: string, signal: Signal): Promise<ByteStream>;
  reader(name: string, version: string, signal: Signal): Promise<SkillReader>;
}

export function versionedReading(root: string, index: SkillIndex): VersionedReading {
  return {
    list: async (name, signal) => await versionsOf(root, name, await liveSkill(name, signal)),
    load,
    open: async (name, path, version, signal) =>
      await openedAt(await placeOf(name, version, signal), name, path, signal),
    reader: async (name, version, signal) => {
      const place = await placeOf(name, version, signal);
      return skillReader(undefined, (path) => openedAt(place, name, path, signal), signal);
    },
  };

  async function load(name: string, version: string, signal: Signal): Promise<Skill> {
    const live = await liveSkill(name, signal);
    const kept = await keptVersion(root, name, version, live);
    if (kept) return await loadKept(name, kept, signal);
    if (live) return await withVersion(root, live.skill);
    throw notKept(name, version);
  }

  async function placeOf(
    name: string,
    version: string,
    signal: Signal,
  ): Promise<FolderPlace & Partial<KeptVersion>> {
    const live = await liveSkill(name, signal);
    const kept = await keptVersion(root, name, version, live);
    if (kept) return { ...kept, ...kept.place };
    if (live) return live.place;
    throw notKept(name, version);
  }

  async function openedAt(
    place: FolderPlace & Partial<KeptVersion>,
    name: string,
    path: string,
    signal: Signal,
  ): Promise<ByteStream> {
    return await openFile(place, name, path, { headers: new Map(), signal }).catch((error: unknown) => {
      throw place.version !== undefined && isGone(error) ? notKept(name, place.version) : error;
    });
  }

  /** `undefined` where there is no skill of that name, or a broken one. */
  async function liveSkill(name: string, signal: Signal): Promise<LiveSkill | undefined> {
    try {
      return await index.withPlace(name, signal, async (place) => {
        const skill = await loadFolder(place, index.memory, signal);
        return "manifest" in skill ? { skill, place } : undefined;
      });
    } catch (error) {
      if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
      throw error;
    }
  }
}
