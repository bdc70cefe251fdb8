import {
  type BrokenSkill,
  checkAborted,
  containedPath,
  type Skill,
  SkillError,
  type WritableSkillRepository,
} from "@skillwright/core";
import { ChangedMeanwhile } from "./files/errno.js";
import { shownFailure } from "./files/write-content.js";
import { loadFolder } from "./skills/load-folder.js";
import { openFile } from "./skills/open-file.js";
import { isSummary } from "./skills/read-summary.js";
import type { FolderPlace } from "./skills/skill-folder.js";
import { skillIndex } from "./skills/skill-index.js";
import { skillReader } from "./skills/skill-reader.js";
import { deleteSkill, uploadSkill } from "./skills/write-skill.js";

export interface FsRepositoryOptions {
  /** The folder below which skills are looked for. It need not exist: that is an empty listing with a diagnostic. */
  readonly root: string;
  readonly limits?: {
    /** How many folders below the root a skill may be; 6 by default. */
    readonly depth?: number;
    /** How many folders that are no skill are looked into; 2,000 by default. */
    readonly directories?: number;
  };
}

/**
 * The skills in a folder: every folder with a SKILL.md, at any depth up to 6, without hidden folders and
 * `node_modules`. A skill inside another one counts as both. Folder links inside the root count once, links that leave
 * the root or a skill are not followed; pipes and devices are never opened.
 *
 * A listing stats every file and opens only SKILL.md files that it does not know; changes by anybody are seen by the next
 * call. Uploads by several processes at once are fine; the root and what is below it must then be one file system.
 */
export function fsRepository({ root, limits = {} }: FsRepositoryOptions): WritableSkillRepository {
  const label = `fs ${root}`;
  const { depth = 6, directories = 2000 } = limits;
  const index = skillIndex(root, label, { depth, directories });

  const list: WritableSkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", async () => {
      checkAborted(signal);
      const { skills, diagnostics } = await index.scan(signal);
      const found = skills.map((skill) => skill.found);
      return {
        skills: found.filter(isSummary),
        broken: found.filter((entry): entry is BrokenSkill => !isSummary(entry)),
        diagnostics,
      };
    });

  const load: WritableSkillRepository["load"] = (name, { signal, version } = {}) =>
    attempt(`Loading "${name}"`, async () => {
      checkAborted(signal);
      return await index.withPlace(name, signal, async (place) => {
        refuseVersion(name, version);
        return await loadAt(place, name, signal);
      });
    });

  const open: WritableSkillRepository["open"] = (name, path, { signal, version } = {}) =>
    attempt(`Opening "${path}" of "${name}"`, async () => {
      checkAborted(signal);
      containedPath(path);
      return await index.withPlace(name, signal, async (place) => {
        refuseVersion(name, version);
        return await openFile(place, name, path, { headers: index.memory.headers, signal });
      });
    });

  const reader: WritableSkillRepository["reader"] = (name, options = {}) =>
    attempt(`Opening "${name}"`, async () => {
      checkAborted(options.signal);
      const path = await index.withPlace(name, options.signal, async (place) => {
        refuseVersion(name, options.version);
        if (!index.memory.skills.has(place.path)) await loadAt(place, name, options.signal);
        return place.path;
      });
      const places = index.memory.skills.get(path)?.places;
      return skillReader(places, (file) => open(name, file, options), options.signal);
    });

  const refresh: WritableSkillRepository["refresh"] = async ({ signal } = {}) => {
    checkAborted(signal);
    index.forget();
  };

  const upload: WritableSkillRepository["upload"] = (files, options = {}) =>
    attempt("Uploading", async () => {
      checkAborted(options.signal);
      return await uploadSkill(root, index, files, options);
    });

  const remove: WritableSkillRepository["delete"] = (name, { signal } = {}) =>
    attempt(`Deleting "${name}"`, async () => {
      checkAborted(signal);
      return await deleteSkill(root, index, name, signal);
    });

  async function close(): Promise<void> {
    index.forget();
  }

  return {
    label,
    list,
    load,
    open,
    reader,
    refresh,
    upload,
    delete: remove,
    close,
    [Symbol.asyncDispose]: close,
  };

  async function loadAt(place: FolderPlace, name: string, signal: AbortSignal | undefined): Promise<Skill> {
    const loaded = await loadFolder(place, index.memory, signal);
    if ("manifest" in loaded && (loaded.name === name || place.path === name)) return loaded;
    if ("manifest" in loaded || place.path !== name) throw new ChangedMeanwhile();
    throw invalid(loaded);
  }

  async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw shownFailure(error, `${doing} (${label})`);
    }
  }
}

function refuseVersion(name: string, version: string | undefined): void {
  if (version === undefined) return;
  const message = `There is no version "${version}" of the skill "${name}": folders keep the newest only.`;
  throw new SkillError("SKILL_NOT_FOUND", message);
}

function invalid({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  return new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}
