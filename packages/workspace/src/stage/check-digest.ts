import { type Skill, SkillError } from "@skillwright/core";

/** @throws SkillError `DIGEST_MISMATCH` where a digest is wanted and the skill has another. */
export function checkDigest({ name, digest }: Skill, wanted: string | undefined): void {
  if (wanted === undefined || wanted === digest) return;
  throw new SkillError(
    "DIGEST_MISMATCH",
    `The skill "${name}" changed after it was checked, so nothing ran. Call again to use it as it is now.`,
    { details: { skill: name } },
  );
}
