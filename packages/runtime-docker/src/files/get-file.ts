import { buffer } from "node:stream/consumers";
import { type ByteStream, byteStream, type CallOptions } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { openFile } from "./open-file.js";

const SMALL_BYTES = 256 * 1024;

/**
 * Streams a regular file. A file of at most 256 KiB is read before this settles. A larger one is opened again when its
 * first piece is requested, and yields its content at that time. An unread stream keeps no file open.
 * @throws SkillError as `openFile`. The stream of a larger file may also fail with these.
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
