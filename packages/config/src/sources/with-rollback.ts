import type {
  CallOptions,
  Skill,
  UploadFile,
  VersionedSkillRepository,
  WritableSkillRepository,
} from "@skillwright/core";
import { verifiedContent } from "@skillwright/core/adapter";

/** A repository that keeps versions, as a place to publish to. A rollback publishes the verified files of the old version again. */
export function withRollback<Repository extends WritableSkillRepository & VersionedSkillRepository>(
  repository: Repository,
) {
  return {
    ...repository,
    async rollback(name: string, version: string, options: CallOptions = {}): Promise<Skill> {
      const skill = await repository.load(name, { ...options, version });
      return await repository.upload(filesOf(skill), { ...options, by: "skillwright rollback" });
    },
  };

  async function* filesOf({ name, digest: version, manifest }: Skill): AsyncGenerator<UploadFile> {
    const read = await repository.reader?.(name, { version });
    for (const file of manifest.files) {
      const content = await (read?.(file.path) ?? repository.open(name, file.path, { version }));
      yield { path: file.path, content: verifiedContent(file, content), executable: file.executable };
    }
  }
}
