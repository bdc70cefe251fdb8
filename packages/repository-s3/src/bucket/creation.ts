import { randomUUID } from "node:crypto";
import { type CallOptions, type Closable, SkillError } from "@skillwright/core";
import type { Bucket } from "./bucket.js";
import { statusOf } from "./request.js";
import type { PutOptions } from "./write-objects.js";

/**
 * Acquires a named lock, held until it is closed: for servers that ignore `If-None-Match: *`. Only one holder may exist
 * at a time; a lock that expires must outlast the longest publish.
 */
export type BucketLock = (name: string, options: CallOptions) => Promise<Closable>;

/** Creates objects only where there are none. */
export interface Creation {
  /** Returns `false` when it was not written, as `Bucket.putIfAbsent`. */
  create(key: string, bytes: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** Holds the lock with that name during the work, where a lock was passed in. */
  exclusively<Result>(name: string, options: CallOptions, work: () => Promise<Result>): Promise<Result>;
}

export interface CreationOptions extends CallOptions {
  /** An object of this package used for the test. It is kept. */
  readonly probe: string;
  readonly lock?: BucketLock | undefined;
}

/**
 * Tests once whether the server supports creating an object only where there is none, and returns a safe way to create
 * objects.
 * @throws SkillError `UNSUPPORTED` where the server does not and no lock is passed in; `BACKEND_FAILED`.
 */
export async function objectCreation(
  bucket: Bucket,
  { probe, lock, signal }: CreationOptions,
): Promise<Creation> {
  const isHonoured = await honoursAbsence(bucket, probe, signal);
  if (!isHonoured && !lock) throw unsafe(bucket.name);
  return {
    create: (key, bytes, options = {}) =>
      isHonoured ? bucket.putIfAbsent(key, bytes, options) : createUnderLock(bucket, key, bytes, options),
    async exclusively(name, options, work) {
      const held = await lock?.(name, options);
      try {
        return await work();
      } finally {
        await held?.close();
      }
    },
  };
}

/** The first attempt may create the object; the second must be refused. */
async function honoursAbsence(
  bucket: Bucket,
  probe: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const attempt = async (): Promise<boolean> => {
    const bytes = Buffer.from(`Written to see whether the server honours If-None-Match. ${randomUUID()}\n`);
    return await bucket.putIfAbsent(probe, bytes, { signal, contentType: "text/plain" });
  };
  try {
    return !(await attempt()) || !(await attempt());
  } catch (error) {
    // Some servers refuse headers that they do not know.
    if (statusOf(error) === 501) return false;
    throw error;
  }
}

async function createUnderLock(
  bucket: Bucket,
  key: string,
  bytes: Uint8Array,
  options: PutOptions,
): Promise<boolean> {
  if (await bucket.has(key, options)) return false;
  await bucket.put(key, bytes, options);
  return true;
}

function unsafe(name: string): SkillError {
  const message = `The server of the bucket "${name}" ignores If-None-Match, so two writers could overwrite each other. Pass a lock, or use a server that honours it.`;
  return new SkillError("UNSUPPORTED", message, { details: { bucket: name } });
}
