import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { ByteStream } from "@skillwright/core";
import { ZipFile } from "yazl";
import { isBomb } from "../rules/entry-refusal.js";
import type { FileToPack } from "./file-to-pack.js";

export async function* zipStream(files: readonly FileToPack[]): ByteStream {
  const zip = new ZipFile();
  // The library writes local time. The format's earliest date is January 1st, in the zone that was set when the library
  // was loaded; the 2nd is valid in every zone, so that every time zone gives the same bytes.
  const mtime = new Date(1980, 0, 2, 12);
  const output = zip.outputStream as NodeJS.ReadableStream & { destroy(error?: Error): void };
  zip.on("error", (error: Error) => output.destroy(error));
  for (const { name, content, mode = 0o644 } of files)
    zip.addBuffer(content, name, {
      mtime,
      forceDosTimestamp: true,
      mode: 0o100000 | mode,
      compress: await packsHonestly(content),
    });
  zip.end();
  for await (const piece of output) yield piece as Buffer;
}

/** A file that compresses so well that a reader would treat it as a bomb is stored uncompressed. */
async function packsHonestly(content: Buffer): Promise<boolean> {
  if (content.length === 0) return false;
  if (!isBomb(content.length, 0)) return true;
  return !isBomb(content.length, (await promisify(deflateRaw)(content)).length);
}
