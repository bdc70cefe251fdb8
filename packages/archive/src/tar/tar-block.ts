export const BLOCK_BYTES = 512;

/** The fields of a header block that determine how the following bytes are read. */
export interface TarBlock {
  /** One letter; `0` also stands for the NUL of old archives. */
  readonly type: string;
  /** Size of the body in bytes; `undefined` for anything but plain octal digits. */
  readonly size: number | undefined;
  readonly name: Buffer;
}

/** `undefined` for a block that is not a POSIX or GNU tar header. */
export function tarBlock(block: Buffer): TarBlock | undefined {
  const magic = block.toString("latin1", 257, 263);
  if (magic !== "ustar\0" && magic !== "ustar ") return undefined;
  const prefix = magic === "ustar\0" ? text(block, 345, 155) : Buffer.alloc(0);
  const name = text(block, 0, 100);
  const flag = block.toString("latin1", 156, 157);
  return {
    type: flag === "\0" ? "0" : flag,
    size: octal(block.toString("latin1", 124, 136)),
    name: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from("/"), name]) : name,
  };
}

function text(block: Buffer, at: number, length: number): Buffer {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return end === -1 ? field : field.subarray(0, end);
}

function octal(field: string): number | undefined {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits || "0", 8);
}
