import { SkillError, type UploadFile } from "@skillwright/core";
import { uploadedSkill } from "@skillwright/core/adapter";
import type { ArchiveOpener, OpenedArchiveLimits } from "../../archive-opener.js";
import { archivedFiles } from "../../payload/archived-files.js";
import { filesDigest } from "../../skills/found-skills.js";

/**
 * Unpacks what a client publishes and checks that it is what it announced.
 * @throws SkillError as the opener; `DIGEST_MISMATCH`; `INPUT_INVALID` where SKILL.md has another name.
 */
export async function publishedFiles(
  bytes: Uint8Array,
  { name, digest }: { readonly name: string; readonly digest: string },
  openArchive: ArchiveOpener,
  limits: OpenedArchiveLimits,
): Promise<readonly UploadFile[]> {
  const files = await archivedFiles(await openArchive(bytes, { limits }), limits);
  const actual = filesDigest(files);
  if (actual !== digest)
    throw new SkillError(
      "DIGEST_MISMATCH",
      `The files received have the digest ${actual}, but ${JSON.stringify(digest.slice(0, 80))} was announced. Publish again.`,
      { details: { expected: digest, actual } },
    );
  const skill = uploadedSkill(files.get("SKILL.md")?.bytes);
  if (skill.name !== name)
    throw new SkillError(
      "INPUT_INVALID",
      `SKILL.md has the name "${skill.name}", but ${JSON.stringify(name.slice(0, 80))} was to be published. Give the same name.`,
    );
  return [...files].map(([path, { bytes, executable }]) => ({ path, content: bytes, executable }));
}
