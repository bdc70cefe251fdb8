import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { type ByteSource, type ByteStream, byteStream } from "@skillwright/core";
import { abortable, checkAborted, untilAborted } from "@skillwright/core/adapter";
import { failure } from "../bucket/request.js";

/** Size of a part; a few parts are in memory at once. A file has at most 10,000 parts, so at most 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
const PIECE_BYTES = 1024 * 1024;

export interface UploadPlace {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Uploads content of any size to a key while hashing it, with at most about 40 MiB in memory. After a failure, uploaded
 * data is removed if the server can still be reached.
 * @throws What the source throws, unchanged; SkillError `ABORTED`, `BACKEND_FAILED`.
 */
export async function uploadContent(
  { client, bucket, key, contentType, signal }: UploadPlace,
  content: ByteSource,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash("sha256");
  let size = 0;
  let broken: { readonly reason: unknown } | undefined;

  async function* hashed(): ByteStream {
    try {
      for await (const piece of abortable(ownPieces(content), signal)) {
        hash.update(piece);
        size += piece.byteLength;
        yield piece;
      }
    } catch (reason) {
      broken = { reason };
      throw reason;
    }
  }

  const upload = new Upload({
    client,
    params: {
      Bucket: bucket,
      Key: key,
      ContentType: contentType,
      Body: Readable.from(hashed(), { objectMode: false }),
    },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
  });
  try {
    await untilAborted(upload.done(), signal);
  } catch (error) {
    checkAborted(signal);
    throw broken ? broken.reason : failure(error, { name: bucket }, { operation: "PutObject", key });
  }
  return { size, sha256: hash.digest("hex") };
}

/** Copied, since the source may change a piece once the next one is requested. */
async function* ownPieces(content: ByteSource): ByteStream {
  for await (const piece of byteStream(content))
    for (let start = 0; start < piece.byteLength; start += PIECE_BYTES)
      yield Buffer.from(piece.subarray(start, start + PIECE_BYTES));
}
