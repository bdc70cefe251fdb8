/** What an entry says it is, whatever the format calls it. `other` is a type the reader does not know. */
export type ArchiveEntryKind =
  | "file"
  | "folder"
  | "symbolic link"
  | "hard link"
  | "device"
  | "pipe"
  | "socket"
  | "sparse file"
  | "other";

/** The header of one entry, as the archive declares it. */
export interface ArchiveEntry {
  /** As it is written there; a folder's may end with `/`. */
  readonly name: string;
  readonly kind: ArchiveEntryKind;
  /** Bytes once unpacked, as declared. */
  readonly size: number;
  /** Bytes in the archive, where the format packs each entry by itself. */
  readonly packedSize?: number;
  /** Unix permission bits, where the archive has them. */
  readonly mode?: number;
}
