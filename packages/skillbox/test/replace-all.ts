import type { SeedFile, SkillSeed } from "@skillwright/contracts";
import type { UploadFile, WritableSkillRepository } from "@skillwright/core";

/** Makes the repository contain exactly these skills. */
export async function replaceAll(repository: WritableSkillRepository, skills: SkillSeed): Promise<void> {
  for (const { path } of (await repository.list()).skills) await repository.delete(path);
  for (const files of Object.values(skills))
    await repository.upload(Object.entries(files).map(([path, file]) => ({ path, ...plain(file) })));
}

function plain(file: SeedFile): Omit<UploadFile, "path"> {
  return typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
}
