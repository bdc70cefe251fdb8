import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ParsedSkill, Skill, SkillManifest, SkillSummary } from "@skillwright/core";
import { parseLoadedSkill } from "@skillwright/core/adapter";
import type { HeldDirectory } from "./held-content.js";
import { storedManifest } from "./stored-manifest.js";

export interface StoredSkill {
  readonly manifest: SkillManifest;
  readonly parsed: ParsedSkill;
}

/**
 * Loads the skill from a directory of a content store; `undefined` where it does not match its digest or is not a
 * skill.
 */
export async function storedSkill(
  { digest, directory }: HeldDirectory,
  folderName: string,
  signal: AbortSignal | undefined,
): Promise<StoredSkill | undefined> {
  const manifest = await storedManifest(directory, digest, signal);
  if (!manifest?.files.some(({ path }) => path === "SKILL.md")) return undefined;
  const text = await readFile(join(directory, "SKILL.md"));
  const { skill } = parseLoadedSkill(text, { directoryName: folderName });
  return skill && { manifest, parsed: skill };
}

/** Combines the listed summary with the stored content; `undefined` where they belong to different skills. */
export function listedSkill(summary: SkillSummary, digest: string, stored: StoredSkill): Skill | undefined {
  const { manifest, parsed } = stored;
  if (parsed.name !== summary.name || parsed.description !== summary.description) return undefined;
  return { ...summary, digest, body: parsed.body, manifest };
}
