import { type CallOptions, readBytes, SKILL_LIMITS, type Skill, type SkillCatalog } from "@skillwright/core";
import { type LintFinding, lintSkill } from "@skillwright/lint";

/** What the linter finds in the skill. All of its files are read, at most 16 MiB. */
export async function skillFindings(
  catalog: SkillCatalog,
  { name, path, manifest }: Skill,
  options: CallOptions,
): Promise<readonly LintFinding[]> {
  const files = [];
  for (const { path: file, size, executable } of manifest.files) {
    const content = await readBytes(await catalog.open(name, file, options), SKILL_LIMITS.bytes);
    files.push({ path: file, content, size, executable });
  }
  return lintSkill({ directoryName: path.split("/").at(-1) || name, files });
}
