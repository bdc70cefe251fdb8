import { createHash } from "node:crypto";
import { byteStream, type ManifestFile, parseSkill, SkillError } from "@skillwright/core";
import type { LintedFile } from "@skillwright/lint";
import { type NeedsPlace, type SkillNeeds, skillNeeds } from "../environments/skill-needs.js";

/** What the skill in a folder needs, from the files that were read for the linter. */
export async function folderNeeds(
  name: string,
  skillFile: Uint8Array | undefined,
  files: readonly LintedFile[],
  place: NeedsPlace,
): Promise<SkillNeeds> {
  const parsed = skillFile && parseSkill(skillFile, { directoryName: name });
  const frontmatter = parsed?.skill?.frontmatter ?? {};
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const listed = files.flatMap(({ path, kind, content = "" }): ManifestFile[] => {
    if (kind !== "file") return [];
    const sha256 = createHash("sha256").update(content).digest("hex");
    return [{ path, size: Buffer.byteLength(content), executable: false, sha256 }];
  });
  const open = async (path: string) => {
    const content = contents.get(path);
    if (content !== undefined) return byteStream(content);
    throw new SkillError("LIMIT_EXCEEDED", `${path} was not read: the skill's files are too large.`);
  };
  const manifest = { formatVersion: 1, files: listed } as const;
  const { diagnostics, ...needs } = await skillNeeds({ name, manifest, frontmatter }, open, place);
  return needs;
}
