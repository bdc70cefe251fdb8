import {
  type BrokenSkill,
  deepFreeze,
  type ParseSkillResult,
  parseSkill,
  SKILL_LIMITS,
  type SkillSummary,
} from "@skillwright/core";
import type { GitProgram } from "../process/git-program.js";
import { type TreeDiagnosticCode, treeDiagnostic } from "./diagnostics.js";
import { readBlobs } from "./read-blobs.js";
import type { SkillFile, SkillFolder } from "./skill-folder.js";

/** Headers by the id of SKILL.md and the folder's name, which replaces a missing one. They never become stale. */
export type HeaderMemory = Map<string, ParseSkillResult>;

export interface FoundSkill {
  readonly folder: SkillFolder;
  readonly found: SkillSummary | BrokenSkill;
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
  }: { folders: readonly SkillFolder[]; memory: HeaderMemory; signal: AbortSignal | undefined },
): Promise<readonly FoundSkill[]> {
  const unread = new Map<string, { file: SkillFile; names: Set<string> }>();
  const used = new Set<string>();
  for (const { name, files } of folders) {
    const file = skillFileOf(files);
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
  return folders.map((folder) => ({ folder, found: summary(folder, memory) })).sort(inOrder);
}

export function isSummary(found: SkillSummary | BrokenSkill): found is SkillSummary {
  return "changeMark" in found;
}

export function skillFileOf(files: readonly SkillFile[]): SkillFile | undefined {
  return files.find(({ path }) => path === "SKILL.md");
}

function keyOf({ id }: { readonly id: string }, name: string): string {
  return `${id} ${name}`;
}

function headOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const header = HEADER.exec(text)?.[0];
  return header === undefined ? bytes : bytes.subarray(0, header.length);
}

function summary(folder: SkillFolder, memory: HeaderMemory): SkillSummary | BrokenSkill {
  const { path, name: directoryName, files, changeMark } = folder;
  const file = skillFileOf(files);
  if (!file) return broken(folder, "skill-file.not-regular");
  const header = memory.get(keyOf(file, directoryName));
  if (!header) return broken(folder, "skill-file.too-large");
  const { excess: tooMuch } = folder;
  const diagnostics = [...(tooMuch ? [tooMuch] : []), ...header.diagnostics, ...folder.diagnostics];
  if (!header.skill || tooMuch) return deepFreeze({ path, diagnostics });
  const { name, description, frontmatter } = header.skill;
  return deepFreeze({ name, description, path, frontmatter, changeMark, diagnostics });
}

function broken(folder: SkillFolder, code: TreeDiagnosticCode): BrokenSkill {
  return deepFreeze({
    path: folder.path,
    diagnostics: [treeDiagnostic(code, "SKILL.md"), ...folder.diagnostics],
  });
}

/** Usable skills by name, then path; then the broken ones by path. */
function inOrder({ found: left }: FoundSkill, { found: right }: FoundSkill): number {
  if (isSummary(left) !== isSummary(right)) return isSummary(left) ? -1 : 1;
  if (isSummary(left) && isSummary(right) && left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}
