/**
 * Tells whether the files of an archive form a tree of skills: none at the top or in the single top directory, but at
 * least one in a directory below, or the manifest of a plugin at the top. `undefined` for everything else, such as an
 * archive of one skill.
 * @param paths Contained paths of all files.
 */
export function archivedTree(paths: readonly string[]): ArchivedTree | undefined {
  if (paths.includes("SKILL.md")) return undefined;
  const isPlugin = (folder: string) => MANIFESTS.some((manifest) => paths.includes(`${folder}${manifest}`));
  if (isPlugin("")) return {};
  const [top = "", ...others] = new Set(paths.map((path) => path.split("/", 1)[0] ?? ""));
  const hasSkill = paths.some((path) => path.endsWith("/SKILL.md"));
  if (others.length > 0) return hasSkill ? {} : undefined;
  if (paths.includes(`${top}/SKILL.md`)) return undefined;
  return hasSkill || isPlugin(`${top}/`) ? { directoryName: top } : undefined;
}

/** The manifests of Agent Plugins and of Claude Code. A plugin may have no skill. */
const MANIFESTS = ["plugin.json", ".claude-plugin/plugin.json"];

export interface ArchivedTree {
  /** The single top directory that contains everything. */
  readonly directoryName?: string;
}
