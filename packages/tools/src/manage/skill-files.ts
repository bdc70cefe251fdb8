import { createHash } from "node:crypto";
import {
  type CallOptions,
  readBytes,
  SKILL_LIMITS,
  type Skill,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";

export interface HeldFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** All files of the skill, each verified against its manifest. @throws SkillError `CONFLICT` where one has changed. */
export async function skillFiles(
  skills: SkillCatalog,
  skill: Skill,
  options: CallOptions,
  version?: string,
): Promise<Map<string, HeldFile>> {
  const chosen = version === undefined ? options : { ...options, version };
  const read = await skills.reader?.(skill.name, chosen);
  const files = new Map<string, HeldFile>();
  for (const { path, executable, sha256: expected } of skill.manifest.files) {
    const source = read ? await read(path) : await skills.open(skill.name, path, chosen);
    const bytes = await readBytes(source, SKILL_LIMITS.bytes);
    if (sha256(bytes) !== expected)
      throw new SkillError(
        "CONFLICT",
        `"${path}" of the skill "${skill.name}" changed while it was read. Try again.`,
      );
    files.set(path, { bytes, executable });
  }
  return files;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
