import { SkillError, type SkillReader, type SkillRepository } from "@skillwright/core";
import { lazyReader, type SkillVersionOptions } from "@skillwright/core/adapter";

/**
 * Opens files of a skill with a single reader where the repository supports it. The reader is requested with the first
 * file.
 */
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
 * Returns a reader for any repository, even one without that method.
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

/** Opens SKILL.md without reading it: the cheapest check that every repository supports. */
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
