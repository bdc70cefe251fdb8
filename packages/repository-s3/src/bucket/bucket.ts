import type { S3Client } from "@aws-sdk/client-s3";
import type { CallOptions } from "@skillwright/core";
import { type GetOptions, getObject, type StoredObject } from "./get-object.js";
import { type ListOptions, type ListPage, listObjects } from "./list-objects.js";
import { createObject, hasObject, type PutOptions, putObject, removeObjects } from "./write-objects.js";

/** Limits after which a call gives up. */
export interface BucketLimits {
  /** Pages of one listing. Defaults to 5,000. */
  readonly pages?: number | undefined;
  /** Objects of one listing. Defaults to 500,000. */
  readonly objects?: number | undefined;
  /**
   * Timeout in milliseconds for the answer to a request, and for the next piece of a body. Defaults to 60,000. A body
   * that takes longer than this plus its size at 8 kB a second is given up.
   */
  readonly answerMs?: number | undefined;
  /** Objects that one call reads, writes or removes concurrently, besides its listing. Defaults to 16. */
  readonly parallel?: number | undefined;
}

export interface BucketOptions {
  /** Belongs to the caller; it is not closed. Its region, credentials, retries and timeouts are used unchanged. */
  readonly client: S3Client;
  readonly bucket: string;
  readonly limits?: BucketLimits | undefined;
}

/**
 * The few operations that everything here is built from. A failure of the server or the connection is `BACKEND_FAILED`
 * with bucket, key and status, never with a credential or a signed URL. The client's own strategy retries answers of
 * 500 and 503 and lost connections; resuming an interrupted body is implemented here.
 */
export interface Bucket {
  readonly name: string;
  readonly parallel: number;
  /** `undefined` where no object has that key. The caller must read the content or discard it. */
  get(key: string, options?: GetOptions): Promise<StoredObject | undefined>;
  has(key: string, options?: CallOptions): Promise<boolean>;
  /** Writes the object, replacing an existing one. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>;
  /**
   * Writes the object only where there is none, with `If-None-Match: *`. Returns `false` when it was not written,
   * because another one exists or is being written or removed. Two bodies must differ, so that the outcome of a lost
   * answer can be determined.
   */
  putIfAbsent(key: string, bytes: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** @throws SkillError `LIMIT_EXCEEDED` for a listing that exceeds the limits or does not advance. */
  list(prefix: string, options?: ListOptions): AsyncGenerator<ListPage, void, undefined>;
  /** Removes the objects one by one, several concurrently; missing ones are not an error. */
  remove(keys: Iterable<string>, options?: CallOptions): Promise<void>;
}

/** Implements the operations with the given client. */
export function s3Bucket({ client, bucket: name, limits = {} }: BucketOptions): Bucket {
  const { pages = 5_000, objects = 500_000, answerMs = 60_000, parallel = 16 } = limits;
  const place = { client, name, answerMs };
  return {
    name,
    parallel,
    get: (key, options = {}) => getObject(place, key, options),
    has: (key, { signal } = {}) => hasObject(place, key, signal),
    put: (key, bytes, options = {}) => putObject(place, key, bytes, options),
    putIfAbsent: (key, bytes, options = {}) => createObject(place, key, bytes, options),
    list: (prefix, options = {}) => listObjects(place, prefix, { pages, objects, ...options }),
    remove: (keys, { signal } = {}) => removeObjects(place, keys, { parallel, signal }),
  };
}
