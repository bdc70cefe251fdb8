import { type CallOptions, containedPath } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";
import type { FileSession } from "./file-session.js";

const KINDS: Readonly<Record<string, FileStat["kind"]>> = {
  f: "file",
  d: "directory",
  l: "link",
  s: "special",
};

/** Everything below a directory, in the order of the bytes of the paths. */
export async function listedFiles(
  session: FileSession,
  path: string,
  _: CallOptions,
): Promise<readonly (readonly [Buffer, FileStat])[]> {
  const found: (readonly [Buffer, FileStat])[] = [];
  await session.send("T", path);
  for (let answer = await session.answer(); answer.kind === "l"; answer = await session.answer())
    for (let at = 0; at < answer.bytes.length; ) {
      const end = answer.bytes.indexOf(0, at);
      found.push(entryOf(answer.bytes.subarray(at, end)));
      at = end + 1;
    }
  return found;
}

export function inOrder(entries: readonly (readonly [Buffer, FileStat])[]): readonly FileStat[] {
  return [...entries].sort(([a], [b]) => Buffer.compare(a, b)).map(([, stat]) => stat);
}

function entryOf(line: Buffer): readonly [Buffer, FileStat] {
  const fields: string[] = [];
  let at = 0;
  while (fields.length < 10) {
    const end = line.indexOf(32, at);
    fields.push(line.toString("latin1", at, end));
    at = end + 1;
  }
  const [kind = "s", size, seconds, nanoseconds, changed, changedNs, mode, names, device, inode] = fields;
  const name = line.subarray(at);
  const path = name.toString("utf8");
  const isFit = Buffer.from(path).equals(name) && isContained(path);
  const isFile = isFit && kind === "f";
  return [
    name,
    {
      path: isFit ? path : shown(name),
      kind: isFit ? (KINDS[kind] ?? "special") : "special",
      size: Number(size),
      modifiedMs: Number(seconds) * 1000 + Number(nanoseconds) / 1e6,
      mark: [size, seconds, nanoseconds, changed, changedNs, inode].join("."),
      ...(isFile && { executable: (Number(mode) & 0o100) !== 0 }),
      ...(isFile && Number(names) > 1 && { hardLinks: { count: Number(names), file: `${device}.${inode}` } }),
    },
  ];
}

function isContained(path: string): boolean {
  try {
    containedPath(path);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are no readable text, escaped. */
function shown(name: Buffer): string {
  const text = name.toString("utf8");
  if (!Buffer.from(text).equals(name))
    return [...name]
      .map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : hex(byte)))
      .join("");
  return [...text]
    .map((character) =>
      /[\p{C}]/u.test(character) ? [...Buffer.from(character)].map(hex).join("") : character,
    )
    .join("");
}

function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}
