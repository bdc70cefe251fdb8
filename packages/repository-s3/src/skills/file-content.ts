import { createHash, hash } from "node:crypto";
import { type ByteStream, readBytes, SkillError } from "@skillwright/core";
import type { Bucket } from "../bucket/bucket.js";
import type { StoredObject } from "../bucket/get-object.js";
import type { ContentMemory } from "./content-memory.js";

/** A file of a skill, wherever it is stored. */
export interface StoredFile {
  /** Relative to the skill. */
  readonly path: string;
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  /** Changes with the content. */
  readonly stamp: string;
  /** The expected hash, where it is known; the bytes are verified against it. */
  readonly sha256?: string;
}

/** Larger files are streamed and not cached. */
export const SMALL_BYTES = 1024 * 1024;

/** Streams the file; nothing is requested before the first piece is. */
export async function* fileStream(
  bucket: Bucket,
  file: StoredFile,
  signal: AbortSignal | undefined,
): ByteStream {
  const object = await present(bucket, file, signal);
  if (file.sha256 === undefined) {
    yield* object.content;
    return;
  }
  const sum = createHash("sha256");
  for await (const piece of object.content) {
    sum.update(piece);
    yield piece;
  }
  if (sum.digest("hex") !== file.sha256) throw mismatch(bucket, file);
}

/** Reads a small file completely. The bytes belong to the caller. */
export async function fileBytes(
  bucket: Bucket,
  file: StoredFile,
  { memory, signal }: { readonly memory: ContentMemory; readonly signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const known = memory.get(markOf(file));
  if (known) return known;
  const object = await present(bucket, file, signal);
  const bytes = await wholeOf(object, file);
  if (file.sha256 === undefined) return bytes;
  if (hash("sha256", bytes, "hex") !== file.sha256) throw mismatch(bucket, file);
  memory.put(markOf(file), bytes.slice());
  return bytes;
}

/** Reads an object completely; it must have its listed size. */
export async function wholeOf(
  { content }: Pick<StoredObject, "content">,
  { size }: Pick<StoredFile, "size">,
): Promise<Uint8Array> {
  return await readBytes(content, size);
}

/** The cache key of the content. */
export function markOf({ key, stamp }: Pick<StoredFile, "key" | "stamp">): string {
  return `${stamp} ${key}`;
}

async function present(
  bucket: Bucket,
  file: StoredFile,
  signal: AbortSignal | undefined,
): Promise<StoredObject> {
  const { path, key, size, sha256 } = file;
  const whenLarger = sha256 === undefined ? undefined : () => mismatch(bucket, file);
  const object = await bucket.get(key, { signal, listedSize: size, whenLarger });
  if (object) return object;
  const message = `The file "${path}" of the skill is no longer in the bucket "${bucket.name}" ("${key}"). Load the skill again.`;
  throw new SkillError("FILE_NOT_FOUND", message, { details: { bucket: bucket.name, key, path } });
}

function mismatch({ name }: Bucket, { path, key }: StoredFile): SkillError {
  const message = `The content of the file "${path}" differs from what was published ("${key}" in the bucket "${name}"). Publish the skill again.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { bucket: name, key, path } });
}
