import {
  type BrokenSkill,
  type ManifestFile,
  manifestDigest,
  parseSkill,
  type Skill,
  skillManifest,
} from "@skillwright/core";

/**
 * The skill in a directory, parsed when it is stored, so that listing and loading only look it up. Its digest is also its
 * change mark: equal files have equal marks.
 */
export function storedSkill(
  path: string,
  skillFile: Uint8Array,
  files: readonly ManifestFile[],
): Skill | BrokenSkill {
  const directoryName = path.slice(path.lastIndexOf("/") + 1);
  const { skill, diagnostics } = parseSkill(skillFile, { directoryName });
  if (!skill) return { path, diagnostics };
  const { name, description, frontmatter, body } = skill;
  const manifest = skillManifest(files);
  const digest = manifestDigest(manifest);
  return { name, description, path, frontmatter, changeMark: digest, digest, diagnostics, body, manifest };
}

/** Skills are not searched in hidden directories and in `node_modules`; their contents are ordinary files. */
export function isSkillFile(path: string): boolean {
  return path.endsWith("/SKILL.md") && !/(^|\/)(\.|node_modules\/)/.test(path);
}
