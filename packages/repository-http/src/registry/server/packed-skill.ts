import { createHash } from "node:crypto";
import {
  byteStream,
  readBytes,
  type Skill,
  SkillError,
  type SkillRepository,
  type UploadFile,
  type VersionedSkillRepository,
} from "@skillwright/core";
import { type SkillVersionOptions, verifiedContent } from "@skillwright/core/adapter";
import type { ArchiveWriter } from "../../archive-writer.js";
import { labelsOf, type RegistryLabels } from "../registry-labels.js";
import { type SkillMark, skillMark } from "../skill-mark.js";

/** A skill as it is served. */
export interface ServedSkill {
  readonly mark: SkillMark;
  /** Changes with anything that the answer tells. */
  readonly etag: string;
  /** The zip of its files, each verified against the manifest. The same files give the same bytes. */
  pack(): Promise<Uint8Array>;
}

const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

/**
 * Loads the skill of a name or path, at a version, a digest or a label.
 * @throws SkillError as `load` of the repository.
 */
export async function servedSkill(
  parts: {
    readonly repository: SkillRepository;
    readonly writeArchive: ArchiveWriter;
    readonly labels: RegistryLabels | undefined;
  },
  name: string,
  { version, signal }: SkillVersionOptions,
): Promise<ServedSkill> {
  const { repository, writeArchive } = parts;
  const skill = await loaded();
  const mark = skillMark(skill);
  const etag = `"${createHash("sha256").update(JSON.stringify(mark)).digest("hex").slice(0, 40)}"`;
  return {
    mark,
    etag,
    pack: () => readBytes(writeArchive(files(), { format: "zip", layout: "bare" }), MAX_ARCHIVE_BYTES),
  };

  async function loaded(): Promise<Skill> {
    try {
      return await repository.load(name, { version, signal });
    } catch (error) {
      // A version comes before a label of the same text.
      if (version === undefined || !SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
      const all = await labelsOf(parts.labels, name);
      const labelled = Object.hasOwn(all, version) ? all[version] : undefined;
      if (labelled === undefined) throw error;
      return await repository.load(name, { version: labelled, signal });
    }
  }

  async function* files(): AsyncGenerator<UploadFile> {
    const at = isVersioned(repository) ? { version: skill.version ?? skill.digest, signal } : { signal };
    const read = await repository.reader?.(name, at);
    for (const file of skill.manifest.files) {
      const content = (await read?.(file.path)) ?? (await repository.open(name, file.path, at));
      const checked = verifiedContent(file, content instanceof Uint8Array ? content : byteStream(content));
      yield { path: file.path, content: checked, executable: file.executable };
    }
  }
}

export function isVersioned(repository: SkillRepository): repository is VersionedSkillRepository {
  return "versions" in repository;
}
