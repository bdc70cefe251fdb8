import {
  SkillError,
  type SkillVersion,
  type UploadFile,
  type VersionedSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { checkAborted, type SkillVersionOptions } from "@skillwright/core/adapter";
import { memoryRepository } from "../../src/index.js";

interface KeptVersion extends SkillVersion {
  /** A repository with only this version. */
  readonly repository: WritableSkillRepository;
}

/** A correct repository in memory that keeps versions; the breakages change one point each. */
export function memoryVersions(): VersionedSkillRepository & WritableSkillRepository {
  const newest = memoryRepository();
  const kept = new Map<string, KeptVersion[]>();

  const keeperOf = (name: string, { version }: SkillVersionOptions = {}): WritableSkillRepository => {
    if (version === undefined) return newest;
    const found = kept.get(name)?.find((each) => each.version === version || each.digest === version);
    if (!found) throw new SkillError("SKILL_NOT_FOUND", `There is no version "${version}".`);
    return found.repository;
  };

  return {
    ...newest,
    load: async (name, options) => {
      const skill = await keeperOf(name, options).load(name, { signal: options?.signal });
      const version = kept.get(name)?.find(({ digest }) => digest === skill.digest)?.version;
      return version === undefined ? skill : { ...skill, version };
    },
    open: async (name, path, options) =>
      await keeperOf(name, options).open(name, path, { signal: options?.signal }),
    reader: async (name, options) => {
      const keeper = keeperOf(name, options);
      return async (path) => await keeper.open(name, path, { signal: options?.signal });
    },
    upload: async (files, options) => {
      const list: UploadFile[] = [];
      for await (const file of files) list.push(file);
      const skill = await newest.upload(list, options);
      const versions = kept.get(skill.name) ?? [];
      if (versions[0]?.digest === skill.digest) return { ...skill, version: versions[0].version };
      const repository = memoryRepository();
      await repository.upload(list);
      const version = `v${versions.length + 1}`;
      const createdAt = new Date().toISOString();
      kept.set(skill.name, [{ version, digest: skill.digest, createdAt, repository }, ...versions]);
      return { ...skill, version };
    },
    versions: async (name, { signal } = {}) => {
      checkAborted(signal);
      return (kept.get(name) ?? []).map(({ version, digest, createdAt }) => ({ version, digest, createdAt }));
    },
  };
}
