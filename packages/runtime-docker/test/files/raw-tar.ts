export interface RawEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** The type in the header. Default a regular file. */
  readonly type?: string;
  readonly target?: string;
  readonly mode?: number;
  readonly uid?: number;
  /** The size in the header. Default the content's. */
  readonly size?: number;
  /** Bytes that replace the size field. */
  readonly sizeField?: Buffer;
}

/** An archive that no library would write: every name, type and size is written as given. */
export function rawTar(...entries: readonly RawEntry[]): Buffer {
  return Buffer.concat([...entries.map(rawEntry), Buffer.alloc(1024)]);
}

export function rawEntry({ name, content = "", type = "0", target = "", ...more }: RawEntry): Buffer {
  const bytes = Buffer.from(content);
  const { mode = 0o644, uid = 1000, size = bytes.byteLength } = more;
  const header = Buffer.alloc(512);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width, "0")}\0`;
  for (const [offset, text] of [
    [0, name],
    [100, octal(mode, 7)],
    [108, octal(uid, 7)],
    [116, octal(uid, 7)],
    [124, octal(size, 11)],
    [136, octal(0, 11)],
    [148, " ".repeat(8)],
    [156, type],
    [157, target],
    [257, "ustar\x0000"],
  ] as const)
    header.write(text, offset, "latin1");
  more.sizeField?.copy(header, 124, 0, 12);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)]);
}

/** The header before an entry that sets another path. */
export function paxPath(path: string): RawEntry {
  const record = ` path=${path}\n`;
  let length = Buffer.byteLength(record);
  while (Buffer.byteLength(`${length}${record}`) !== length) length = Buffer.byteLength(`${length}${record}`);
  return { name: "PaxHeader", type: "x", content: `${length}${record}` };
}
