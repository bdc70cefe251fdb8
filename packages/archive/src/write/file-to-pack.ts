import type { ArchiveEntry } from "@skillwright/core/adapter";

/** A file in memory, with its name in the archive. */
export interface FileToPack extends ArchiveEntry {
  readonly content: Buffer;
  readonly executable: boolean;
}
