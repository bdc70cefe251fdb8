import {
  type BrokenSkill,
  type ParseSkillResult,
  parseSkill,
  SKILL_LIMITS,
  type SkillSummary,
} from "@skillwright/core";
import {
  brokenFolder,
  deepFreeze,
  type FoundSkill,
  folderSummary,
  inListingOrder,
  type SkillFolder,
  skillFileOf,
} from "@skillwright/core/adapter";
import type { GitProgram } from "../process/git-program.js";
import { readBlobs } from "./read-blobs.js";
import type { TreeEntry } from "./tree-entries.js";

/** Headers by the id of SKILL.md and the folder's name, which replaces a missing one. They never become stale. */
export type HeaderMemory = Map<string, ParseSkillResult>;

export interface GitSkill extends FoundSkill {
  readonly folder: SkillFolder<TreeEntry>;
}

/** The two lines of dashes with everything between them, in Latin-1. */
const HEADER = /^(?:\xef\xbb\xbf)?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/;

/** The summaries of the folders for a listing. Reads the SKILL.md files that are not cached, all with one process. */
export async function readSummaries(
  git: GitProgram,
  gitDirectory: string,
  {
    folders,
    memory,
    signal,
  }: { folders: readonly SkillFolder<TreeEntry>[]; memory: HeaderMemory; signal: AbortSignal | undefined },
): Promise<readonly GitSkill[]> {
  const unread = new Map<string, { file: TreeEntry; names: Set<string> }>();
  const used = new Set<string>();
  for (const folder of folders) {
    const { name } = folder;
    const file = skillFileOf(folder);
    if (!file || file.size > SKILL_LIMITS.skillFileBytes) continue;
    used.add(keyOf(file, name));
    if (memory.has(keyOf(file, name))) continue;
    const waiting = unread.get(file.id) ?? { file, names: new Set() };
    unread.set(file.id, { file, names: waiting.names.add(name) });
  }
  const wanted = [...unread.values()].map(({ file }) => file);
  for await (const blob of readBlobs(git, gitDirectory, wanted, signal))
    for (const name of unread.get(blob.id)?.names ?? [])
      memory.set(keyOf(blob, name), deepFreeze(parseSkill(headOf(blob.bytes), { directoryName: name })));
  for (const key of memory.keys()) if (!used.has(key)) memory.delete(key);
  return folders.map((folder) => ({ folder, found: summary(folder, memory) })).sort(inListingOrder);
}

function keyOf({ id }: { readonly id: string }, name: string): string {
  return `${id} ${name}`;
}

function headOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const header = HEADER.exec(text)?.[0];
  return header === undefined ? bytes : bytes.subarray(0, header.length);
}

function summary(folder: SkillFolder<TreeEntry>, memory: HeaderMemory): SkillSummary | BrokenSkill {
  const file = skillFileOf(folder);
  if (!file) return brokenFolder(folder, "skill-file.not-regular");
  const header = memory.get(keyOf(file, folder.name));
  return header ? folderSummary(folder, header) : brokenFolder(folder, "skill-file.too-large");
}
