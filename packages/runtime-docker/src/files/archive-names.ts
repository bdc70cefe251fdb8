import type { ContainerArchiveEntry } from "./archive-entries.js";

/** What the names in a directory's archive say of each other. */
export interface ArchiveNames {
  /** To be told of every entry, in their order. False for what is no name below the directory. */
  note(entry: ContainerArchiveEntry): boolean;
  /** Whether a run could read it: the rights are there, and no link and no closed directory is on the way. */
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
