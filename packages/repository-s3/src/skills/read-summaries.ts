import {
  type ParseSkillResult,
  parseSkill,
  readBytes,
  SKILL_LIMITS,
  type SkillError,
} from "@skillwright/core";
import {
  brokenFolder,
  deepFreeze,
  type FoundSkill,
  folderSummary,
  forEachLimited,
  skillFileOf,
} from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import { statusOf } from "../bucket/request.js";
import type { PlainFile, PlainFolder } from "./plain-entries.js";

/** Parsed headers of SKILL.md files, by key. */
export type HeaderMemory = Map<string, { readonly stamp: string; readonly header: Header }>;

type Header = Parameters<typeof folderSummary>[1];

export interface PlainSkill extends FoundSkill {
  readonly folder: PlainFolder;
}

/** The summaries of the folders for a listing. Reads the SKILL.md files that changed since they were last read. */
export async function readSummaries(
  bucket: Bucket,
  folders: readonly PlainFolder[],
  { memory, signal }: { readonly memory: HeaderMemory; readonly signal: AbortSignal | undefined },
): Promise<readonly PlainSkill[]> {
  const skills: PlainSkill[] = [];
  await forEachLimited(folders, bucket.parallel, async (folder) => {
    const skill = await readSummary(bucket, folder, { memory, signal });
    if (skill) skills.push(skill);
  });
  const keys = new Set(skills.map(({ folder }) => skillFileOf(folder)?.key));
  for (const key of memory.keys()) if (!keys.has(key)) memory.delete(key);
  return skills;
}

/** The same for one folder; `undefined` where its SKILL.md has gone. */
export async function readSummary(
  bucket: Bucket,
  folder: PlainFolder,
  { memory, signal }: { readonly memory: HeaderMemory; readonly signal: AbortSignal | undefined },
): Promise<PlainSkill | undefined> {
  const skillFile = skillFileOf(folder);
  if (!skillFile) return undefined;
  if (skillFile.size > SKILL_LIMITS.skillFileBytes)
    return { folder, found: brokenFolder(folder, "skill-file.too-large") };
  return await readOne(skillFile);

  async function readOne(file: PlainFile): Promise<PlainSkill | undefined> {
    const known = memory.get(file.key);
    if (known?.stamp === file.stamp) return { folder, found: folderSummary(folder, known.header) };
    try {
      const object = await bucket.get(file.key, { signal });
      if (!object) return undefined;
      const bytes = await readBytes(object.content, SKILL_LIMITS.skillFileBytes);
      const { skill, diagnostics } = parseSkill(bytes, { directoryName: folder.name });
      const header = deepFreeze({ skill: skill && withoutBody(skill), diagnostics });
      // Replaced since it was listed: the next listing reads it again.
      if (object.etag === file.etag) memory.set(file.key, { stamp: file.stamp, header });
      return { folder, found: folderSummary(folder, header) };
    } catch (error) {
      if (statusOf(error) === 403) return { folder, found: brokenFolder(folder, "skill-file.unreadable") };
      if ((error as Partial<SkillError>).code === "LIMIT_EXCEEDED")
        return { folder, found: brokenFolder(folder, "skill-file.too-large") };
      throw error;
    }
  }
}

function withoutBody({
  name,
  description,
  frontmatter,
}: NonNullable<ParseSkillResult["skill"]>): Header["skill"] {
  return { name, description, frontmatter };
}
