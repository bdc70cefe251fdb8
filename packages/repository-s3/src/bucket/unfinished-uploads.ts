import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { CallOptions } from "@skillwright/core";
import { request, statusOf } from "./request.js";

const ANSWER_MS = 60_000;
/** Each page has up to 1,000 uploads. */
const MAX_PAGES = 100;

export interface UploadsPlace {
  readonly client: S3Client;
  /** Name of the bucket. */
  readonly name: string;
  readonly prefix: string;
}

/**
 * Aborts multipart uploads below the prefix that were started before a time (milliseconds since 1970), and returns
 * their number.
 */
export async function endUnfinishedUploads(
  place: UploadsPlace,
  { begunBefore, signal }: CallOptions & { readonly begunBefore: number },
): Promise<number> {
  let ended = 0;
  for await (const upload of unfinishedUploads(place, signal)) {
    if ((upload.Initiated?.getTime() ?? 0) >= begunBefore) continue;
    await endUpload(place, upload, signal);
    ended++;
  }
  return ended;
}

async function* unfinishedUploads(
  { client, name, prefix }: UploadsPlace,
  signal: AbortSignal | undefined,
): AsyncGenerator<MultipartUpload, void, undefined> {
  let after: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const command = new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...after });
    const subject = { operation: "ListMultipartUploads", key: prefix, signal };
    const answer = await request({ client, name, answerMs: ANSWER_MS }, subject, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
    yield* answer.Uploads ?? [];
    if (!answer.IsTruncated || answer.NextKeyMarker === undefined) return;
    after = {
      KeyMarker: answer.NextKeyMarker,
      ...(answer.NextUploadIdMarker !== undefined && { UploadIdMarker: answer.NextUploadIdMarker }),
    };
  }
}

async function endUpload(
  { client, name }: UploadsPlace,
  { Key, UploadId }: MultipartUpload,
  signal: AbortSignal | undefined,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId });
  const subject = { operation: "AbortMultipartUpload", key: Key ?? "", signal };
  await request({ client, name, answerMs: ANSWER_MS }, subject, (abortSignal) =>
    client.send(command, { abortSignal }),
  ).catch((error: unknown) => {
    // Completed or aborted by another process meanwhile.
    if (statusOf(error) !== 404) throw error;
  });
}
