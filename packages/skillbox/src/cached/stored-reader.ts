import { containedPath, type ManifestFile, type Skill, type SkillReader } from "@skillwright/core";
import { fileNotFound, manifestSize } from "@skillwright/core/adapter";
import type { HeldContent } from "./held-content.js";
import { storedFile } from "./stored-file.js";

export interface StoredReaderOptions {
  /** Opens a file that the store has lost. */
  readonly otherwise: SkillReader;
  readonly signal: AbortSignal | undefined;
}

/** Reads a skill's files from the content store; `undefined` where they are not stored or the store fails. */
export async function storedReader(
  held: HeldContent,
  { name, digest, manifest }: Skill,
  { otherwise, signal }: StoredReaderOptions,
): Promise<SkillReader | undefined> {
  // Where the store fails, the skill is read from its source.
  const content = await held.find({ digest }, { signal }).catch(() => undefined);
  if (!content) return undefined;
  held.weigh(digest, manifestSize(manifest));
  const files = new Map<string, ManifestFile>(manifest.files.map((file) => [file.path, file]));
  return async (path) => {
    const file = files.get(containedPath(path));
    if (!file) throw fileNotFound(name, path);
    return await storedFile(content.directory, file, { otherwise: () => otherwise(path), signal });
  };
}
