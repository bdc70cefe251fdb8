import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ApprovalChange,
  type CallOptions,
  type ContentStore,
  readBytes,
  SKILL_LIMITS,
  type SkillCatalog,
} from "@skillwright/core";

/** Larger files are compared by their digests only. */
const MAX_FILE_BYTES = 64 * 1024;
const MAX_FILES = 100;

/**
 * The texts of changed files, at most 100 of at most 64 KiB each. What was approved comes from a repository that keeps
 * versions, or from the content that was staged.
 */
export async function comparedSkill(
  { skills, content }: { readonly skills: SkillCatalog; readonly content: ContentStore | undefined },
  skill: string,
  { before, changes }: { readonly before: string; readonly changes: readonly ApprovalChange[] },
  options: CallOptions,
): Promise<readonly ApprovalChange[]> {
  const lease = await content?.find({ digest: before }, { owner: `compared-${before}`, ...options });
  const kept = async (path: string) => {
    if (lease) return textOf(await readFile(join(lease.directory, path)));
    const stream = await skills.open(skill, path, { ...options, version: before });
    return textOf(await readBytes(stream, SKILL_LIMITS.bytes));
  };
  const now = async (path: string) =>
    textOf(await readBytes(await skills.open(skill, path, options), SKILL_LIMITS.bytes));
  try {
    const files: ApprovalChange[] = [];
    for (const { path, change } of changes.slice(0, MAX_FILES)) {
      const [old, fresh] = await Promise.all([
        // A file that cannot be read is shown without text, like a binary file.
        change === "added" ? undefined : kept(path).catch(() => undefined),
        // A file that cannot be read is shown without text, like a binary file.
        change === "removed" ? undefined : now(path).catch(() => undefined),
      ]);
      files.push({
        ...{ path, change },
        ...(old !== undefined && { before: old }),
        ...(fresh !== undefined && { after: fresh }),
      });
    }
    return files;
  } finally {
    await lease?.release();
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > MAX_FILE_BYTES || bytes.includes(0)) return undefined;
  return new TextDecoder().decode(bytes);
}
