import type { ContainerArchiveEntry } from "./archive-entries.js";

/** Checks the names in a directory's archive against each other. */
export interface ArchiveNames {
  /** Call it for every entry, in order. Returns false for a name that is not below the directory. */
  note(entry: ContainerArchiveEntry): boolean;
  /**
   * True where a run could read it: it has the permissions, and no link and no inaccessible directory is on the way.
   */
  isReadable(entry: ContainerArchiveEntry): boolean;
}

export function archiveNames(root: string, uid: number): ArchiveNames {
  const barred = new Set<string>();

  function note({ name, kind, mode, uid: owner }: ContainerArchiveEntry): boolean {
    const bare = name.replace(/\/$/, "");
    if (bare !== root && (!bare.startsWith(`${root}/`) || bare.split("/").includes(".."))) return false;
    const passes = kind === "folder" && (mode & (owner === uid ? 0o100 : 0o001)) !== 0;
    if (kind !== "file" && !passes) barred.add(bare);
    return true;
  }

  function isReadable({ name, kind, mode, uid: owner }: ContainerArchiveEntry): boolean {
    if (kind !== "file" || (mode & (owner === uid ? 0o400 : 0o004)) === 0) return false;
    for (let end = name.indexOf("/"); end > 0; end = name.indexOf("/", end + 1))
      if (barred.has(name.slice(0, end))) return false;
    return true;
  }

  return { note, isReadable };
}
