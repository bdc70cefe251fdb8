import { isPackedPath } from "@skillwright/archive";
import type { CallOptions, UploadFile } from "@skillwright/core";
import type { OpenedSkill } from "../skills/open-skill.js";

/** The published files of a skill: without caches, `node_modules`, version control and evals, as in `pack`. */
export async function* filesOfSkill(
  { skill, catalog }: OpenedSkill,
  options: CallOptions,
): AsyncIterable<UploadFile> {
  const read = await catalog.reader?.(skill.name, options);
  for (const { path, executable } of skill.manifest.files) {
    if (!isPackedPath(path)) continue;
    yield { path, executable, content: await (read?.(path) ?? catalog.open(skill.name, path, options)) };
  }
}
