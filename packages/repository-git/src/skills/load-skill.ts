import { hash as digestOf } from "node:crypto";
import { manifestDigest, type Skill, type SkillSummary, skillManifest } from "@skillwright/core";
import { deepFreeze, parseLoadedSkill, type SkillFolder, skillFileOf } from "@skillwright/core/adapter";
import type { GitProgram } from "../process/git-program.js";
import { readBlobs } from "./read-blobs.js";
import type { TreeEntry } from "./tree-entries.js";

/** SHA-256 by git's own object id, which is a different hash. */
export type HashMemory = Map<string, string>;

/** Loads the full skill. Files whose content was hashed before are not read again. */
export async function loadSkill(
  git: GitProgram,
  gitDirectory: string,
  {
    folder,
    summary,
    memory,
    signal,
  }: {
    folder: SkillFolder<TreeEntry>;
    summary: SkillSummary;
    memory: HashMemory;
    signal: AbortSignal | undefined;
  },
): Promise<Skill> {
  const skillFile = skillFileOf(folder);
  const unread = new Map<string, TreeEntry>();
  for (const file of folder.files) if (file === skillFile || !memory.has(file.id)) unread.set(file.id, file);
  let content: Uint8Array = new Uint8Array();
  for await (const { id, bytes } of readBlobs(git, gitDirectory, [...unread.values()], signal)) {
    memory.set(id, digestOf("sha256", bytes, "hex"));
    if (id === skillFile?.id) content = bytes;
  }
  const manifest = skillManifest(
    folder.files.map(({ path, id, size, kind }) => ({
      path,
      size,
      executable: kind === "executable",
      sha256: memory.get(id) ?? "",
    })),
  );
  // Read to its end, to determine whether all of it is UTF-8.
  const { skill, diagnostics } = parseLoadedSkill(content, { directoryName: folder.name });
  return deepFreeze({
    ...summary,
    diagnostics: [...diagnostics, ...folder.diagnostics],
    body: skill?.body ?? "",
    manifest,
    digest: manifestDigest(manifest),
  });
}
