import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { ByteStream } from "@skillwright/core";
import { pack } from "tar-stream";
import { tarEntries } from "../src/snapshot/tar-entries.js";

export const RECORD = JSON.stringify({
  formatVersion: 1,
  workspaceId: "ws_00000000000000000000000000000000",
  takenAt: "2026-01-01T00:00:00.000Z",
  staged: {},
});

type Header = Parameters<ReturnType<typeof pack>["entry"]>[0];

export async function bytesOf(stream: ByteStream): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A tar.gz of these entries, after a valid record. */
export async function packedSnapshot(
  entries: readonly (Header & { readonly content?: string | Buffer })[],
  record: string | undefined = RECORD,
): Promise<Buffer> {
  return gzipSync(await tarOf([{ name: "snapshot.json", content: record }, ...entries]));
}

export async function tarOf(
  entries: readonly (Header & { readonly content?: string | Buffer })[],
): Promise<Buffer> {
  const tar = pack();
  for (const { content = "", ...header } of entries) tar.entry(header, content);
  tar.finalize();
  return await bytesOf(tar as unknown as ByteStream);
}

export async function packedFiles(packed: Buffer): Promise<readonly { name: string; size: number }[]> {
  const found: { name: string; size: number }[] = [];
  for await (const { header } of tarEntries(Readable.from([packed]), 2 ** 32)) found.push(header);
  return found;
}
