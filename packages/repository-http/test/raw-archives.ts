import { crc32, gzipSync } from "node:zlib";

interface RawZipFile {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly mode?: number;
}

/** A zip that a regular packer would not create: names are written as given, nothing is compressed. */
export function zip(...entries: readonly RawZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, body: content, mode = 0o100644 } of entries) {
    const body = Buffer.from(content as string);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(0x5821, 8);
    fields.writeUInt32LE(crc32(body), 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(body.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x03"), fields, rest, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\x05\x06"), end]);
}

/** A tar.gz of the same kind; type 2 is a link. */
export function tarGz(...entries: readonly { name: string; body: string; type?: string }[]): Buffer {
  const blocks = entries.flatMap(({ name, body, type = "0" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write("0000000\0".repeat(2), 108);
    header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write(`        ${type}`, 148);
    if (type === "2") header.write("/etc/passwd", 157);
    header.write("ustar\x0000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, Buffer.from(body), Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
