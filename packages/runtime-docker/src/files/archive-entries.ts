import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import type { ArchiveEntryKind } from "@skillwright/core/adapter";
import { extract, type Header } from "tar-stream";
import type { WorkspaceContainer } from "../container/workspace-container.js";

const KINDS: ReadonlyMap<string, ArchiveEntryKind> = new Map([
  ["file", "file"],
  ["contiguous-file", "file"],
  ["directory", "folder"],
  ["link", "hard link"],
  ["symlink", "symbolic link"],
  ["character-device", "device"],
  ["block-device", "device"],
  ["fifo", "pipe"],
]);

const SLOWEST_BYTES_PER_MS = 8;

/** The header of one entry as stored in the archive, which may be false, and its bytes. */
export interface ContainerArchiveEntry {
  readonly name: string;
  readonly kind: ArchiveEntryKind;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  /** Read it completely, or not at all, before requesting the next entry. */
  readonly content: ByteStream;
}

/**
 * Yields the entries at an absolute path of the container, in the engine's order. While they are read, the engine
 * answers no other call about that container, so the caller must not do anything slow in between. An archive slower
 * than 8 kB a second, after a first allowance of `callTimeoutMs`, is given up.
 * @throws SkillError `BACKEND_FAILED` for an invalid or truncated archive, `ABORTED`.
 */
export async function* archiveEntries(
  { container, engine }: Pick<WorkspaceContainer, "container" | "engine">,
  path: string,
  options: CallOptions = {},
): AsyncGenerator<ContainerArchiveEntry, void, undefined> {
  const doing = "Reading files of a container";
  const archive = (await engine.call(
    doing,
    (abortSignal) => container.getArchive({ path, abortSignal }),
    options,
  )) as Readable;
  const decoder = extract();
  async function* inTime(): ByteStream {
    const chunks = archive[Symbol.asyncIterator]();
    let [waitedMs, bytes] = [0, 0];
    for (;;) {
      const asked = performance.now();
      const next = await engine.call(doing, () => chunks.next(), options);
      if (next.done) return;
      waitedMs += performance.now() - asked;
      bytes += next.value.byteLength;
      if (waitedMs > engine.callTimeoutMs + bytes / SLOWEST_BYTES_PER_MS) throw tooSlow(engine.host, bytes);
      yield next.value;
    }
  }
  const flow = pipeline(inTime, decoder as unknown as NodeJS.WritableStream);
  // `reason` gets its failure.
  flow.catch(() => undefined);
  /** The original cause, not its effect on later streams. */
  async function reason(error: unknown): Promise<SkillError> {
    const first = await flow.then(
      () => error,
      (cause: unknown) => cause,
    );
    return SkillError.is(first) ? first : damaged(first);
  }
  async function* whole(content: ByteStream): ByteStream {
    try {
      yield* content;
    } catch (error) {
      throw await reason(error);
    }
  }
  try {
    for await (const body of decoder) {
      checkSize(body.header);
      yield { ...entryHeader(body.header), content: whole(body as ByteStream) };
      body.resume();
    }
    await flow;
  } catch (error) {
    throw await reason(error);
  } finally {
    decoder.destroy();
    archive.destroy();
  }
}

function entryHeader({
  name,
  type,
  size = 0,
  mode = 0,
  uid = 0,
}: Header): Omit<ContainerArchiveEntry, "content"> {
  return { name, kind: KINDS.get(type ?? "") ?? "other", size, mode, uid };
}

/** A base-256 size can be negative; the library reads -1 as -0. */
function checkSize({ name, size = 0 }: Header): void {
  if (Number.isSafeInteger(size) && size >= 0 && !Object.is(size, -0)) return;
  throw damaged(new Error(`${JSON.stringify(name.slice(0, 100))} has a size of ${size}`));
}

function tooSlow(host: string, bytes: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The container engine at ${host} sends files at less than 8 kB per second (${bytes} bytes so far). Check the engine and the network, or raise callTimeoutMs.`,
    { details: { host } },
  );
}

function damaged(cause: unknown): SkillError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SkillError(
    "BACKEND_FAILED",
    `The engine returned a damaged or incomplete archive (${why}). Try again; if it keeps failing, check for a proxy between this machine and the engine.`,
    { cause },
  );
}
