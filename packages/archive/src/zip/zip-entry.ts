import type { ArchiveEntry } from "@skillwright/core/adapter";

export interface ZipEntry extends ArchiveEntry {
  readonly packedSize: number;
  readonly compressed: boolean;
  readonly crc32: number;
  /** Offset of its local header. */
  readonly start: number;
  /** Offset of its packed bytes. */
  readonly dataStart: number;
  /** True where sizes and checksum are repeated after the data. */
  readonly hasDescriptor: boolean;
}
