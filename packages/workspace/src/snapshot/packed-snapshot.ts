import { once } from "node:events";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import {
  type ByteStream,
  byteStream,
  type CallOptions,
  type RuntimeWorkspace,
  SkillError,
} from "@skillwright/core";
import { abortable, eitherSignal, type FileStat } from "@skillwright/core/adapter";
import type { Pack } from "tar-stream";
import { fileContents } from "../files/file-contents.js";
import { RECORD_PATH, type SnapshotRecord } from "./snapshot-record.js";

/** Archiving is usually meant to free space quickly, not to store compactly for years: the fastest level. */
const GZIP_LEVEL = 1;

/**
 * Packs the record and the files as tar.gz, reading each file while the stream is consumed.
 * @throws SkillError `CONFLICT` for a file that differs from its listing, `ABORTED`, what the runtime throws.
 */
export async function* packedSnapshot(
  record: SnapshotRecord,
  files: readonly FileStat[],
  workspace: RuntimeWorkspace,
  { signal }: CallOptions,
): ByteStream {
  // Loaded late: most programs take no snapshot, and loading tar-stream takes a quarter of the time that Node needs to start.
  const { pack } = await import("tar-stream");
  const over = new AbortController();
  const tar = pack();
  const gzip = createGzip({ level: GZIP_LEVEL });
  // Errors of earlier streams are rethrown by the last one.
  pipeline(tar as unknown as NodeJS.ReadableStream, gzip, () => undefined);
  const until = eitherSignal(signal, over.signal);
  const filling = fill(tar, record, { files, workspace, signal: until }).catch((error: unknown) =>
    tar.destroy(SkillError.from(error, "Taking the snapshot")),
  );
  try {
    yield* gzip;
  } finally {
    over.abort();
    tar.destroy();
    gzip.destroy();
    await filling;
  }
}

async function fill(
  tar: Pack,
  record: SnapshotRecord,
  source: { files: readonly FileStat[]; workspace: RuntimeWorkspace; signal: AbortSignal },
): Promise<void> {
  const { workspace, signal } = source;
  const text = Buffer.from(JSON.stringify(record));
  const first = { name: RECORD_PATH, size: text.byteLength, mtime: new Date(record.takenAt) };
  await addEntry(tar, first, async () => byteStream(text), signal);
  const paths = source.files.map(({ path }) => path);
  const contents = fileContents(workspace, paths, { signal });
  try {
    for (const { path, size, modifiedMs, executable = false } of source.files) {
      const header = { name: path, size, mode: executable ? 0o755 : 0o644, mtime: new Date(modifiedMs) };
      await addEntry(tar, header, () => contents.open(path), signal);
    }
  } finally {
    await contents.close();
  }
  tar.finalize();
}

async function addEntry(
  tar: Pack,
  header: { name: string; size: number; mode?: number; mtime: Date },
  open: () => Promise<ByteStream>,
  signal: AbortSignal,
): Promise<void> {
  const entry = tar.entry({ ...header, type: "file" });
  // The tar stream reports the same error.
  entry.on("error", () => undefined);
  const closed = once(entry, "close", { signal });
  // Its failure is thrown by the await below.
  closed.catch(() => undefined);
  const content = await open().catch((error: unknown) => {
    throw SkillError.is(error, "FILE_NOT_FOUND") ? changedMeanwhile(header.name) : error;
  });
  let written = 0;
  // Started at once, since a stream that is opened and never started is never closed.
  for await (const piece of abortable(content, signal)) {
    written += piece.byteLength;
    if (written > header.size) throw changedMeanwhile(header.name);
    if (!entry.write(piece)) await once(entry, "drain", { signal });
  }
  if (written !== header.size) throw changedMeanwhile(header.name);
  entry.end(undefined);
  await closed;
}

function changedMeanwhile(path: string): SkillError {
  const message = `${path} changed while the snapshot was taken. Take it again while nothing writes into the workspace.`;
  return new SkillError("CONFLICT", message, { details: { path } });
}
