import { createHash } from "node:crypto";
import { skillMarkdown } from "@skillwright/contracts";
import { readBytes, SkillError, type UploadFile, type VersionedSkillRepository } from "@skillwright/core";

/** Files of a skill, some of which are new in every upload. */
export function filesOf(name: string, text: string): UploadFile[] {
  return [
    { path: "SKILL.md", content: skillMarkdown(name, { body: text }) },
    { path: "note.md", content: text },
    { path: "always.md", content: "the same in all" },
    { path: "scripts/run.sh", content: `echo ${text}\n`, executable: true },
  ];
}

/**
 * The digest of the skill, after all its files were read and match the manifest; `undefined` where the skill does not
 * exist.
 */
export async function wholeDigest(
  repository: VersionedSkillRepository,
  name: string,
  version?: string,
): Promise<string | undefined> {
  try {
    const { digest, manifest, version: loaded } = await repository.load(name, { version });
    // A plain skill has no version to name.
    const options = { version: version ?? loaded };
    for (const { path, sha256 } of manifest.files) {
      const bytes = await readBytes(await repository.open(name, path, options), 10_000_000);
      if (createHash("sha256").update(bytes).digest("hex") !== sha256)
        throw new Error(`${path} of ${digest} has other bytes.`);
    }
    return digest;
  } catch (error) {
    if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
    throw error;
  }
}
