/** The type of an entry, independent of the archive format. `other` is a type that the reader does not know. */
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
  /** The name as written in the archive; a directory's name may end with `/`. */
  readonly name: string;
  readonly kind: ArchiveEntryKind;
  /** Declared size after unpacking, in bytes. */
  readonly size: number;
  /** Packed size in bytes. Missing where the format does not pack each entry by itself. */
  readonly packedSize?: number;
  /** Unix permission bits. Missing where the archive has none. */
  readonly mode?: number;
}
