import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pack } from "tar-stream";
import { isBomb } from "../rules/entry-refusal.js";
import type { FileToPack } from "./file-to-pack.js";

const DATE = new Date("1980-01-02T00:00:00Z");
const OPERATING_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

export async function tarGzBytes(files: readonly FileToPack[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, mode = 0o644 } of files)
    tar.entry({ name, type: "file", mode, mtime: DATE, uid: 0, gid: 0 }, content);
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar as AsyncIterable<Buffer>) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const packed = await promisify(gzip)(bytes);
  // A file that compresses so well that a reader would treat it as a bomb is stored uncompressed.
  const archive = isBomb(size, packed.length) ? await promisify(gzip)(bytes, { level: 0 }) : packed;
  archive.writeUInt8(UNKNOWN_SYSTEM, OPERATING_SYSTEM);
  return archive;
}
