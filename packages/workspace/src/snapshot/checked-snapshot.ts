import {
  type ByteSource,
  type ByteStream,
  byteStream,
  type CallOptions,
  readText,
  SkillError,
} from "@skillwright/core";
import { abortable, type FileEntry } from "@skillwright/core/adapter";
import { type Spooled, spool } from "../upload/spool.js";
import { limitedStream } from "../waiting/limited-stream.js";
import { damagedSnapshot } from "./damaged-snapshot.js";
import type { CheckedLimits } from "./snapshot-limits.js";
import { parseSnapshotRecord, RECORD_PATH, type SnapshotRecord } from "./snapshot-record.js";
import { snapshotRules } from "./snapshot-rules.js";
import { type TarEntry, tarEntries } from "./tar-entries.js";

const MAX_RECORD_BYTES = 1024 * 1024;

/** A snapshot whose headers were all checked. Disposing frees its disk space. */
export interface CheckedSnapshot extends AsyncDisposable {
  readonly record: SnapshotRecord;
  readonly files: number;
  readonly bytes: number;
  /** The files in order. Read each one before requesting the next. */
  entries(signal: AbortSignal | undefined): AsyncIterable<FileEntry>;
}

/**
 * Stores the whole snapshot in a private file and reads it to the end before anything is written to a workspace.
 * @throws SkillError as `SnapshotRules.admit`; `INPUT_INVALID` for a damaged or truncated snapshot, `UNSUPPORTED` for
 * another format version, `ABORTED`; what the source throws.
 */
export async function checkedSnapshot(
  source: ByteSource,
  { limits, signal }: CallOptions & { limits: CheckedLimits },
): Promise<CheckedSnapshot> {
  const most = tarBytes(limits);
  const spooled = await spool(limitedSource(source, most), signal);
  const tar = () => tarEntries(byteStream(spooled.open()), most);
  try {
    return { ...(await checked(tar(), { limits, signal })), entries, ...disposing(spooled) };
  } catch (error) {
    await spooled[Symbol.asyncDispose]();
    throw error;
  }

  async function* entries(later: AbortSignal | undefined): AsyncGenerator<FileEntry, void, undefined> {
    const rules = snapshotRules(limits);
    for await (const { header, content } of abortable(tar(), later)) {
      if (header.name === RECORD_PATH) continue;
      const path = rules.admit(header);
      if (path === undefined) continue;
      const body = counted(content);
      yield { path, executable: ((header.mode ?? 0) & 0o100) !== 0, content: body.stream };
      if (body.bytes() !== header.size) throw passedOver(path);
    }
  }
}

async function checked(
  entries: AsyncIterable<TarEntry>,
  { limits, signal }: CallOptions & { limits: CheckedLimits },
): Promise<{ record: SnapshotRecord; files: number; bytes: number }> {
  const rules = snapshotRules(limits);
  let record: SnapshotRecord | undefined;
  for await (const { header, content } of abortable(entries, signal)) {
    if (record) rules.admit(header);
    else record = await recordFrom({ header, content });
  }
  if (!record) throw damagedSnapshot("It is empty");
  return { record, files: rules.files, bytes: rules.bytes };
}

async function recordFrom({ header, content }: TarEntry): Promise<SnapshotRecord> {
  if (header.name !== RECORD_PATH || header.kind !== "file")
    throw damagedSnapshot(`Its first entry is not ${RECORD_PATH}`);
  if (header.size > MAX_RECORD_BYTES) throw damagedSnapshot(`Its ${RECORD_PATH} is larger than any record`);
  return parseSnapshotRecord(await readText(content, MAX_RECORD_BYTES));
}

/** The files, long-name headers for all of them, as many directories, and the archive's end marker. */
function tarBytes({ files, bytes }: CheckedLimits): number {
  return bytes + files * 2 * 4096 + 2 * MAX_RECORD_BYTES;
}

function limitedSource(source: ByteSource, limit: number): ByteSource {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  return limitedStream(source, limit);
}

function counted(content: ByteStream): { stream: ByteStream; bytes: () => number } {
  let bytes = 0;
  async function* stream(): ByteStream {
    for await (const piece of content) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  return { stream: stream(), bytes: () => bytes };
}

function passedOver(path: string): SkillError {
  const message = `The runtime requested the next file before it had read ${path}. Files must be read in order.`;
  return new SkillError("BACKEND_FAILED", message);
}

function disposing(spooled: Spooled): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => spooled[Symbol.asyncDispose]() };
}
