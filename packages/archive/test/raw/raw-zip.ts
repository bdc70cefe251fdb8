import { crc32, deflateRawSync } from "node:zlib";

/** The fields that are both in the directory and in the local header, and can differ. */
interface ZipFields {
  name: Buffer;
  flags: number;
  method: number;
  crc32: number;
  packedSize: number;
  size: number;
  extra: Buffer;
}

/** One entry, written as given, even if invalid. */
export interface RawZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The packed bytes, if they are not derived from the content. */
  readonly packed?: Buffer;
  readonly method?: number;
  /** The mode with the file type; 0o100644 by default. */
  readonly mode?: number;
  readonly flags?: number;
  readonly extra?: Buffer;
  readonly central?: Partial<ZipFields>;
  readonly local?: Partial<ZipFields>;
  /** Written after the packed bytes. */
  readonly after?: Buffer;
  /** The local header's position according to the directory; no local header is then written. */
  readonly offset?: number;
}

export interface RawZipOptions {
  readonly before?: Buffer;
  readonly after?: Buffer;
  readonly comment?: Buffer;
  /** The number of entries in the end record. */
  readonly count?: number;
  /** The number of entries on its own disk in the end record, if different. */
  readonly countOnDisk?: number;
  readonly disk?: number;
  readonly directoryDisk?: number;
  /** Written between the directory and the end record. */
  readonly beforeEnd?: (directoryStart: number, directorySize: number) => Buffer;
}

const UTF8 = 0x800;

/** Builds a zip byte by byte, without a library. */
export function rawZip(entries: readonly RawZipEntry[], options: RawZipOptions = {}): Buffer {
  const pieces: Buffer[] = [options.before ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const entry of entries) {
    const { fields, packed } = written(entry);
    directory.push(
      centralRecord({ ...fields, ...entry.central }, entry.mode ?? 0o100644, entry.offset ?? at),
    );
    if (entry.offset !== undefined) continue;
    const local = Buffer.concat([
      localRecord({ ...fields, ...entry.local }),
      packed,
      entry.after ?? Buffer.alloc(0),
    ]);
    pieces.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const beforeEnd = options.beforeEnd?.(at, central.length) ?? Buffer.alloc(0);
  const comment = options.comment ?? Buffer.alloc(0);
  const count = options.count ?? entries.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.disk ?? 0, 4);
  end.writeUInt16LE(options.directoryDisk ?? 0, 6);
  end.writeUInt16LE(options.countOnDisk ?? count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...pieces, central, beforeEnd, end, comment, options.after ?? Buffer.alloc(0)]);
}

/** A data descriptor: size, checksum and packed size, as streaming packers write it behind the data. */
export function descriptor(content: string, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc32(content), 4);
  bytes.writeUInt32LE(packed.length, 8);
  bytes.writeUInt32LE(Buffer.byteLength(content), 12);
  return bytes;
}

export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

/** Info-ZIP's Unicode name of an entry, bound to the plain name by its checksum. */
export function unicodePath(plain: Buffer, name: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(crc32(plain), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]));
}

function written(entry: RawZipEntry): { fields: ZipFields; packed: Buffer } {
  const content = Buffer.from(entry.content ?? "");
  const method = entry.method ?? 0;
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
  const fields = {
    name: Buffer.from(entry.name),
    flags: entry.flags ?? UTF8,
    method,
    crc32: crc32(content),
    packedSize: packed.length,
    size: content.length,
    extra: entry.extra ?? Buffer.alloc(0),
  };
  return { fields, packed };
}

function localRecord({ name, extra, ...numbers }: ZipFields): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  writeShared(head, 6, numbers, name, extra);
  return Buffer.concat([head, name, extra]);
}

function centralRecord({ name, extra, ...numbers }: ZipFields, mode: number, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  writeShared(head, 8, numbers, name, extra);
  head.writeUInt32LE((mode << 16) >>> 0, 38);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name, extra]);
}

function writeShared(
  head: Buffer,
  at: number,
  numbers: Omit<ZipFields, "name" | "extra">,
  name: Buffer,
  extra: Buffer,
): void {
  head.writeUInt16LE(numbers.flags, at);
  head.writeUInt16LE(numbers.method, at + 2);
  head.writeUInt16LE(0x21, at + 6);
  head.writeUInt32LE(numbers.crc32, at + 8);
  head.writeUInt32LE(numbers.packedSize, at + 12);
  head.writeUInt32LE(numbers.size, at + 16);
  head.writeUInt16LE(name.length, at + 20);
  head.writeUInt16LE(extra.length, at + 22);
}
