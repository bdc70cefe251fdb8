import { type BrokenSkill, type Skill, SkillError } from "@skillwright/core";
import { isUsable } from "./found-skills.js";
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
  { part, inner, skill: listed }: PlacedSkill,
  name: string,
  signal: AbortSignal | undefined,
): Promise<OpenedSkill> {
  if (!isUsable(listed)) throw invalidSkill(listed);
  const { skills, fetched } = await part.content(signal);
  const skill = skills.find((one) => one.inner === inner)?.skill;
  if (!skill || !isUsable(skill)) throw invalidSkill(skill ?? { path: listed.path, diagnostics: [] });
  return {
    skill,
    read(path) {
      const file = fetched.files.get(inner === "" ? path : `${inner}/${path}`);
      if (file) return Uint8Array.from(file.bytes);
      const message = `The skill "${name}" has no file "${path}". Load it to see its files.`;
      throw new SkillError("FILE_NOT_FOUND", message);
    },
  };
}

export function invalidSkill({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message =
    `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`.trim();
  return new SkillError("SKILL_INVALID", message, { details: { diagnostics } });
}
