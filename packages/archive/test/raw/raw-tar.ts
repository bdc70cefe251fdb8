import { gzipSync } from "node:zlib";

/** One header and its body, written as given, even if invalid. */
export interface RawTarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The type flag; `0` by default. */
  readonly type?: string;
  readonly mode?: number;
  readonly link?: string;
  /** The size in the header, if it differs from the length of the content. */
  readonly size?: number | Buffer;
  /** Added to the checksum to make it wrong. */
  readonly checksumOff?: number;
}

const BLOCK = 512;

/** Builds a tar byte by byte, without a library. */
export function rawTar(entries: readonly RawTarEntry[], after: Buffer = Buffer.alloc(2 * BLOCK)): Buffer {
  return Buffer.concat([...entries.map(entryBytes), after]);
}

export function rawTarGz(entries: readonly RawTarEntry[], after?: Buffer): Buffer {
  return gzipSync(rawTar(entries, after));
}

/** A pax header (`x`, or `g` for all following entries) with these records. */
export function pax(records: Readonly<Record<string, string>>, type = "x"): RawTarEntry {
  const content = Object.entries(records).map(([key, value]) => paxRecord(` ${key}=${value}\n`));
  return { name: "PaxHeader", type, content: Buffer.from(content.join("")) };
}

/** GNU's header for a long name (`L`) or link target (`K`). */
export function longName(name: string, type = "L"): RawTarEntry {
  return { name: "././@LongLink", type, content: `${name}\0` };
}

function paxRecord(rest: string): string {
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}

function entryBytes(entry: RawTarEntry): Buffer {
  const content = Buffer.from(entry.content ?? "");
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([header(entry, content.length), content, padding]);
}

function header(entry: RawTarEntry, length: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  Buffer.from(entry.name).copy(block, 0, 0, 100);
  block.write(`${(entry.mode ?? 0o644).toString(8).padStart(7, "0")}\0`, 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  const size = entry.size ?? length;
  if (typeof size === "number") block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  else size.copy(block, 124);
  block.write("00000000000\0", 136);
  block.write(entry.type ?? "0", 156);
  block.write(entry.link ?? "", 157);
  block.write("ustar\0" + "00", 257);
  block.fill(" ", 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0) + (entry.checksumOff ?? 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
