import type { SeedFile, SkillSeed } from "@skillwright/contracts";
import type { WritableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "../src/index.js";

/** A memory repository with the seed. Memory cannot be changed from outside, so changes are uploads. */
export async function memorySubject(
  seed: SkillSeed,
): Promise<{ repository: WritableSkillRepository; change: (skills: SkillSeed) => Promise<void> }> {
  const repository = memoryRepository({ skills: seed });
  return { repository, change };

  async function change(skills: SkillSeed): Promise<void> {
    for (const { path } of (await repository.list()).skills) await repository.delete(path);
    for (const files of Object.values(skills))
      await repository.upload(Object.entries(files).map(([path, file]) => ({ path, ...plain(file) })));
  }
}

function plain(file: SeedFile): { content: string | Uint8Array; executable?: boolean } {
  return typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
}
