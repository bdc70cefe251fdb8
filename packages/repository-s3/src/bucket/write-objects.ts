import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { type CallOptions, readBytes, SkillError } from "@skillwright/core";
import { forEachLimited } from "@skillwright/core/adapter";
import { getObject } from "./get-object.js";
import { attemptsOf, type BucketPlace, request, statusOf } from "./request.js";

export interface PutOptions extends CallOptions {
  /** Metadata of the object. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Defaults to `application/octet-stream`. */
  readonly contentType?: string | undefined;
}

export async function putObject(
  place: BucketPlace,
  key: string,
  bytes: Uint8Array,
  { signal, ...options }: PutOptions & { readonly ifNoneMatch?: "*" },
): Promise<void> {
  const { metadata = {}, contentType = "application/octet-stream", ifNoneMatch } = options;
  const command = new PutObjectCommand({
    Bucket: place.name,
    Key: key,
    Body: bytes,
    ContentLength: bytes.byteLength,
    ContentType: contentType,
    Metadata: { ...metadata },
    ...(ifNoneMatch && { IfNoneMatch: ifNoneMatch }),
  });
  const subject = { operation: "PutObject", key, signal, bytes: bytes.byteLength };
  await request(place, subject, (abortSignal) => place.client.send(command, { abortSignal }));
}

/** As `Bucket.putIfAbsent`. */
export async function createObject(
  place: BucketPlace,
  key: string,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<boolean> {
  try {
    await putObject(place, key, bytes, { ...options, ifNoneMatch: "*" });
    return true;
  } catch (error) {
    const status = statusOf(error);
    if (status !== 412 && status !== 409) throw error;
    // If the client sent it again after a lost answer, it may have found its own object.
    return attemptsOf(error) > 1 && (await exists(place, key, bytes, options.signal));
  }
}

export async function hasObject(
  place: BucketPlace,
  key: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const command = new HeadObjectCommand({ Bucket: place.name, Key: key });
  try {
    await request(place, { operation: "HeadObject", key, signal }, (abortSignal) =>
      place.client.send(command, { abortSignal }),
    );
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

export async function removeObjects(
  place: BucketPlace,
  keys: Iterable<string>,
  { parallel, signal }: { readonly parallel: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  // One by one: several servers accept a list of keys only with an MD5, which clients no longer send.
  await forEachLimited(keys, parallel, async (key) => {
    const command = new DeleteObjectCommand({ Bucket: place.name, Key: key });
    await request(place, { operation: "DeleteObject", key, signal }, (abortSignal) =>
      place.client.send(command, { abortSignal }),
    ).catch((error: unknown) => {
      if (statusOf(error) !== 404 || isMissingBucket(error)) throw error;
    });
  });
}

async function exists(
  place: BucketPlace,
  key: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const object = await getObject(place, key, { signal });
  if (!object) return false;
  if (object.size !== bytes.byteLength) {
    object.discard();
    return false;
  }
  return Buffer.from(bytes).equals(await readBytes(object.content, bytes.byteLength));
}

function isMissingBucket(error: unknown): boolean {
  return SkillError.is(error) && error.details["code"] === "NoSuchBucket";
}
