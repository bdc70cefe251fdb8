import type { CallOptions, SkillRepository } from "@skillwright/core";
import type { LockedSkill } from "./lock-file.js";

type Source = SkillRepository & { commit?(options?: CallOptions): Promise<string | undefined> };

/**
 * Creates the lock file entry for the skill's current state: its digest, and its version where loading names one or the
 * repository is at a commit.
 * @param source The source text for the file.
 * @throws SkillError as `load`.
 */
export async function lockSkill(
  name: string,
  source: string,
  repository: SkillRepository,
  options: CallOptions = {},
): Promise<LockedSkill> {
  const { commit }: Source = repository;
  const { digest, version = await commit?.call(repository, options) } = await repository.load(name, options);
  return version === undefined ? { source, digest } : { source, version, digest };
}
