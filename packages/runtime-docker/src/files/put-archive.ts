import { Readable } from "node:stream";
import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import { eitherSignal } from "@skillwright/core/adapter";
import { VOLUME, type WorkspaceContainer } from "../container/workspace-container.js";
import { engineError } from "../engine/engine-error.js";
import type { Spool } from "./spool.js";

/** Up to this size, sent as one buffer and within the deadline of one call. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * Unpacks a whole archive in the workspace's volume, in one call. The archive is complete when the call begins, because
 * the engine answers no other call about the container meanwhile.
 * @throws SkillError `LIMIT_EXCEEDED` when the workspace is full, `BACKEND_FAILED`, `ABORTED`; a part of it may exist
 * then.
 */
export async function putArchive(
  { container, engine }: WorkspaceContainer,
  archive: Spool,
  options: CallOptions = {},
): Promise<void> {
  const size = archive.size();
  try {
    if (size <= AT_ONCE_BYTES) {
      const bytes = Buffer.concat(await collected(archive.read(0, size)));
      const put = (abortSignal: AbortSignal) => container.putArchive(bytes, { path: VOLUME, abortSignal });
      await engine.call("Bringing files into the container", put, options);
    } else await putLarge({ container, engine }, archive.read(0, size), options);
  } catch (error) {
    throw isFull(error) ? full(error) : error;
  }
}

/** Continues as long as the engine accepts pieces; then the engine has one call's deadline to confirm. */
async function putLarge(
  { container, engine }: Pick<WorkspaceContainer, "container" | "engine">,
  content: ByteStream,
  { signal }: CallOptions,
): Promise<void> {
  const ending = new AbortController();
  const late = () => ending.abort(tooLate(engine.callTimeoutMs));
  let timer = setTimeout(late, engine.callTimeoutMs);
  async function* watched(): ByteStream {
    for await (const piece of content) {
      clearTimeout(timer);
      timer = setTimeout(late, engine.callTimeoutMs);
      yield piece;
    }
  }
  const abortSignal = eitherSignal(signal, ending.signal);
  const body = Readable.from(watched(), { objectMode: false });
  try {
    await container.putArchive(body, { path: VOLUME, abortSignal });
  } catch (error) {
    if (signal?.aborted)
      throw new SkillError("ABORTED", "The call was aborted by its signal.", { cause: signal.reason });
    if (ending.signal.aborted) throw ending.signal.reason;
    throw engineError(error, "Bringing files into the container", engine.host);
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
}

async function collected(stream: ByteStream): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && /no space left on device|disk quota exceeded/i.test(error.message);
}

function full(cause: unknown): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    "The workspace has no space left for these files. Remove some files, or create workspaces with more storageBytes.",
    { cause },
  );
}

function tooLate(timeoutMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `Bringing files into the container failed: the engine accepted no data for ${timeoutMs} ms. Check whether it hangs, or raise callTimeoutMs.`,
    { details: { timeoutMs } },
  );
}
