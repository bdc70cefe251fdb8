import type { S3Client } from "@aws-sdk/client-s3";
import type { CallOptions } from "@skillwright/core";
import { type GetOptions, getObject, type StoredObject } from "./get-object.js";
import { type ListOptions, type ListPage, listObjects } from "./list-objects.js";
import { createObject, hasObject, type PutOptions, putObject, removeObjects } from "./write-objects.js";

/** How far a call goes before it gives up. */
export interface BucketLimits {
  /** Pages of one listing; 5,000 by default. */
  readonly pages?: number | undefined;
  /** Objects of one listing; 500,000 by default. */
  readonly objects?: number | undefined;
  /**
   * Milliseconds in which a request is answered, and in which the next piece of a body comes; 60,000 by default. A body that
   * takes more than this and its size at 8 kB a second is given up.
   */
  readonly answerMs?: number | undefined;
  /** Objects that one call reads, writes or removes at once, beside its listing; 16 by default. */
  readonly parallel?: number | undefined;
}

export interface BucketOptions {
  /** The caller's own; it is not closed. Its region, credentials, retries and timeouts are kept. */
  readonly client: S3Client;
  readonly bucket: string;
  readonly limits?: BucketLimits | undefined;
}

/**
 * The few calls everything here is made of. What the server or the way to it fails at is `BACKEND_FAILED` with bucket, key
 * and status, never with a credential or a signed address. Answers of 500 and 503 and lost connections are retried by the
 * client's own strategy; what that cannot do, going on with a body that was cut, is done here.
 */
export interface Bucket {
  readonly name: string;
  readonly parallel: number;
  /** `undefined` where there is no object of that key. Whoever gets one reads its content or discards it. */
  get(key: string, options?: GetOptions): Promise<StoredObject | undefined>;
  has(key: string, options?: CallOptions): Promise<boolean>;
  /** Puts the object there, whatever was there before. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>;
  /**
   * Puts the object only where there is none, by `If-None-Match: *`. `false` when it was not put: another one is there,
   * or is being put or removed just now. Two bodies must differ, so that an answer that was lost can be made up for.
   */
  putIfAbsent(key: string, bytes: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** @throws SkillError `LIMIT_EXCEEDED` for a listing beyond the limits, or one that does not move on. */
  list(prefix: string, options?: ListOptions): AsyncGenerator<ListPage, void, undefined>;
  /** Removes them one by one, some at a time; those that are not there are no error. */
  remove(keys: Iterable<string>, options?: CallOptions): Promise<void>;
}

/** The calls over a client that is handed in. */
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
