import type { Skill } from "@skillwright/core";
import { fileNotFound, invalidSkill, isSummary } from "@skillwright/core/adapter";
import type { PlacedSkill } from "./scan-collection.js";

export interface OpenedSkill {
  readonly skill: Skill;
  /** A copy of the file's bytes. @throws SkillError `FILE_NOT_FOUND`. */
  read(path: string): Uint8Array;
}

/**
 * Opens the skill with its files. @throws SkillError `SKILL_INVALID` where it is broken; the error of fetching its
 * source.
 */
export async function openSkill(
  { part, inner, found: listed }: PlacedSkill,
  name: string,
  signal: AbortSignal | undefined,
): Promise<OpenedSkill> {
  if (!isSummary(listed)) throw invalidSkill(listed);
  const { skills, fetched } = await part.content(signal);
  const skill = skills.find((one) => one.inner === inner)?.found;
  if (!skill || !isSummary(skill)) throw invalidSkill(skill ?? { path: listed.path, diagnostics: [] });
  return {
    skill,
    read(path) {
      const file = fetched.files.get(inner === "" ? path : `${inner}/${path}`);
      if (file) return Uint8Array.from(file.bytes);
      throw fileNotFound(name, path);
    },
  };
}
