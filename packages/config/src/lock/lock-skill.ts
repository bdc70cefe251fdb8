import type { CallOptions, SkillRepository, VersionedSkillRepository } from "@skillwright/core";
import type { LockedSkill } from "./lock-file.js";

type Source = SkillRepository &
  Partial<Pick<VersionedSkillRepository, "versions">> & {
    commit?(options?: CallOptions): Promise<string | undefined>;
  };

/**
 * Creates the lock file entry for the skill's current state: its digest, and its version where the repository keeps
 * versions or is at a commit.
 * @param source The source text for the file.
 * @throws SkillError as `load`.
 */
export async function lockSkill(
  name: string,
  source: string,
  repository: SkillRepository,
  options: CallOptions = {},
): Promise<LockedSkill> {
  const { versions, commit }: Source = repository;
  if (versions) {
    // The version first: loading by version cannot return another version's content.
    const [newest] = await versions.call(repository, name, options);
    if (newest) return { source, version: newest.version, digest: newest.digest };
  }
  const { digest } = await repository.load(name, options);
  const version = await commit?.call(repository, options);
  return version === undefined ? { source, digest } : { source, version, digest };
}
