import {
  byteStream,
  type CallOptions,
  type RestorableSkillRepository,
  type Skill,
  SkillError,
  type UploadFile,
  type VersionedSkillRepository,
} from "@skillwright/core";
import type { NamedSource } from "./named-sources.js";
import { repositoryWith } from "./source-named.js";

/**
 * Restores a deleted skill: with the repository's `restore`, otherwise by uploading the newest version it keeps.
 * @throws SkillError as `WritableSkillCatalog.restore`.
 */
export async function restoreSkill(source: NamedSource, name: string, options: CallOptions): Promise<Skill> {
  const { repository } = source;
  const { restore, versions } = repository as Partial<RestorableSkillRepository & VersionedSkillRepository>;
  if (restore) return await restore.call(repository, name, options);
  const { upload } = repositoryWith(source, "upload");
  if (!versions)
    throw new SkillError(
      "UNSUPPORTED",
      `The source "${source.source}" does not keep deleted skills. Upload the skill again.`,
    );
  const [newest] = await versions.call(repository, name, options);
  if (!newest)
    throw new SkillError(
      "SKILL_NOT_FOUND",
      `The source "${source.source}" keeps no version of a skill "${name}".`,
    );
  const { version } = newest;
  const { manifest } = await repository.load(name, { ...options, version });
  const files = manifest.files.map(
    ({ path, executable }): UploadFile => ({
      path,
      executable,
      content: byteStream(opened(async () => await repository.open(name, path, { ...options, version }))),
    }),
  );
  return await upload.call(repository, files, { ...options, existing: "refuse" });
}

/** Opened when it is read, so that only one file is open at a time. */
async function* opened(open: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await open();
}
