/**
 * Tells whether the files of an archive form a tree of skills: none at the top or in the single top directory, but at
 * least one in a directory below. `undefined` for everything else, such as an archive of one skill.
 * @param paths Contained paths of all files.
 */
export function archivedTree(paths: readonly string[]): ArchivedTree | undefined {
  if (paths.includes("SKILL.md") || !paths.some((path) => path.endsWith("/SKILL.md"))) return undefined;
  const [top = "", ...others] = new Set(paths.map((path) => path.split("/", 1)[0] ?? ""));
  if (others.length > 0) return {};
  return paths.includes(`${top}/SKILL.md`) ? undefined : { directoryName: top };
}

export interface ArchivedTree {
  /** The single top directory that contains everything. */
  readonly directoryName?: string;
}
