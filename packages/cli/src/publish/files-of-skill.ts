import { isPackedPath } from "@skillwright/archive";
import type { CallOptions, ManifestFile, Skill, UploadFile } from "@skillwright/core";
import { verifiedContent } from "@skillwright/core/adapter";
import type { OpenedSkill } from "../skills/open-skill.js";

/**
 * The published files of a skill: without caches, `node_modules`, version control and evals, as in `pack`. Each is
 * verified against the manifest while it is read.
 */
export async function* filesOfSkill(
  { skill, catalog }: OpenedSkill,
  options: CallOptions,
): AsyncIterable<UploadFile> {
  const read = await catalog.reader?.(skill.name, options);
  for (const file of publishedFiles(skill)) {
    const { path, executable } = file;
    const content = await (read?.(path) ?? catalog.open(skill.name, path, options));
    yield { path, executable, content: verifiedContent(file, content) };
  }
}

export function publishedFiles({ manifest }: Pick<Skill, "manifest">): readonly ManifestFile[] {
  return manifest.files.filter(({ path }) => isPackedPath(path));
}
