import {
  type BrokenSkill,
  deepFreeze,
  forEachLimited,
  type ParseSkillResult,
  parseSkill,
  readBytes,
  SKILL_LIMITS,
  type SkillError,
  type SkillSummary,
} from "@skillwright/core";
import type { Bucket } from "../bucket/bucket.js";
import { statusOf } from "../bucket/request.js";
import { type BucketDiagnosticCode, bucketDiagnostic } from "./diagnostics.js";
import { type PlainFile, type PlainFolder, skillFileOf } from "./plain-folder.js";

/** Parsed headers of SKILL.md files, by key. */
export type HeaderMemory = Map<string, { readonly stamp: string; readonly header: Header }>;

type Header = Pick<ParseSkillResult, "diagnostics"> & {
  readonly skill?: Pick<NonNullable<ParseSkillResult["skill"]>, "name" | "description" | "frontmatter">;
};

export interface PlainSkill {
  readonly folder: PlainFolder;
  readonly found: SkillSummary | BrokenSkill;
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
  if (skillFile.size > SKILL_LIMITS.skillFileBytes) return broken(folder, "skill-file.too-large");
  return await readOne(skillFile);

  async function readOne(file: PlainFile): Promise<PlainSkill | undefined> {
    const known = memory.get(file.key);
    if (known?.stamp === file.stamp) return { folder, found: summaryOf(folder, known.header) };
    try {
      const object = await bucket.get(file.key, { signal });
      if (!object) return undefined;
      const bytes = await readBytes(object.content, SKILL_LIMITS.skillFileBytes);
      const { skill, diagnostics } = parseSkill(bytes, { directoryName: folder.name });
      const header = deepFreeze(skill ? { skill: withoutBody(skill), diagnostics } : { diagnostics });
      // Replaced since it was listed: the next listing reads it again.
      if (object.etag === file.etag) memory.set(file.key, { stamp: file.stamp, header });
      return { folder, found: summaryOf(folder, header) };
    } catch (error) {
      if (statusOf(error) === 403) return broken(folder, "skill-file.unreadable");
      if ((error as Partial<SkillError>).code === "LIMIT_EXCEEDED")
        return broken(folder, "skill-file.too-large");
      throw error;
    }
  }
}

export function isSummary(found: SkillSummary | BrokenSkill): found is SkillSummary {
  return "changeMark" in found;
}

/** The summary of a folder with that SKILL.md. */
export function summaryOf(folder: PlainFolder, header: Header): SkillSummary | BrokenSkill {
  const { path, changeMark } = folder;
  const { excess: tooMuch } = folder;
  const diagnostics = [...(tooMuch ? [tooMuch] : []), ...header.diagnostics, ...folder.diagnostics];
  if (!header.skill || tooMuch) return deepFreeze({ path, diagnostics });
  const { name, description, frontmatter } = header.skill;
  return deepFreeze({ name, description, path, frontmatter, changeMark, diagnostics });
}

function withoutBody({
  name,
  description,
  frontmatter,
}: NonNullable<ParseSkillResult["skill"]>): NonNullable<Header["skill"]> {
  return { name, description, frontmatter };
}

function broken(folder: PlainFolder, code: BucketDiagnosticCode): PlainSkill {
  const { path, diagnostics } = folder;
  return {
    folder,
    found: deepFreeze({ path, diagnostics: [bucketDiagnostic(code, "SKILL.md"), ...diagnostics] }),
  };
}
