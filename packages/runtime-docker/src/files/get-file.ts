import { buffer } from "node:stream/consumers";
import { type ByteStream, byteStream, type CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { openFile } from "./open-file.js";

const SMALL_BYTES = 256 * 1024;

/**
 * A regular file's bytes. A file of at most 256 KiB is read before this settles. A larger one is opened again when its
 * first piece is asked for, and gives the bytes that it has then. A stream that nobody reads holds nothing open.
 * @throws SkillError as `openFile`. The stream of a larger file may end with them too.
 */
export async function getFile(
  container: WorkspaceContainer,
  path: string,
  options: CallOptions = {},
): Promise<ByteStream> {
  const opened = await openFile(container, path, { ...options, atMost: SMALL_BYTES + 1 });
  const first = await buffer(opened.content);
  return first.byteLength > SMALL_BYTES ? largeFile(container, path, options) : byteStream(first);
}

async function* largeFile(container: WorkspaceContainer, path: string, options: CallOptions): ByteStream {
  const { content } = await openFile(container, path, options);
  yield* content;
}
