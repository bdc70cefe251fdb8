import {
  lazyReader,
  SkillError,
  type SkillReader,
  type SkillRepository,
  type SkillVersionOptions,
} from "@skillwright/core";

/** Opens files of a skill by one reader where the repository has that, which is asked for with the first file. */
export function fileOpener(
  repository: SkillRepository,
  name: string,
  options: SkillVersionOptions,
): SkillReader {
  return lazyReader(
    () => repository.reader?.(name, options),
    (path) => repository.open(name, path, options),
  );
}

/**
 * A reader of a repository that need not have one.
 * @throws SkillError those of the skill, at once.
 */
export async function repositoryReader(
  repository: SkillRepository,
  name: string,
  options: SkillVersionOptions,
): Promise<SkillReader> {
  if (repository.reader) return await repository.reader(name, options);
  await checkThere(repository, name, options);
  return (path) => repository.open(name, path, options);
}

/** Opened and not read: the cheapest question that every repository answers. */
async function checkThere(
  repository: SkillRepository,
  name: string,
  options: SkillVersionOptions,
): Promise<void> {
  try {
    const stream = await repository.open(name, "SKILL.md", options);
    await stream[Symbol.asyncIterator]().return?.();
  } catch (error) {
    if (!SkillError.is(error, "FILE_NOT_FOUND")) throw error;
  }
}
