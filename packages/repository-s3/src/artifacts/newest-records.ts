import type { CallOptions } from "@skillwright/core";
import type { Bucket } from "../bucket/bucket.js";
import { versionOf } from "./artifact-keys.js";

export interface NewestRecord {
  /** `undefined` where there is no version. */
  readonly key: string | undefined;
  /** -1 where there is no version. */
  readonly version: number;
  /** Time of the listing by the server's clock. */
  readonly serverTime: number;
}

/** The newest record of one artifact, from listing a single object. */
export async function newestRecord(
  bucket: Bucket,
  folder: string,
  { signal }: CallOptions,
): Promise<NewestRecord> {
  let serverTime = Number.NaN;
  // More than one object only where a foreign object is stored there.
  for await (const page of bucket.list(folder, { pageSize: 1, signal })) {
    serverTime = page.serverTime;
    for (const { key } of page.objects) {
      const version = versionOf(key);
      if (version !== undefined) return { key, version, serverTime };
    }
  }
  return { key: undefined, version: -1, serverTime };
}

/** The keys of all records below a prefix, newest versions of each artifact first. */
export async function recordKeys(
  bucket: Bucket,
  folder: string,
  { signal }: CallOptions,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { objects } of bucket.list(folder, { signal }))
    keys.push(...objects.map(({ key }) => key).filter((key) => versionOf(key) !== undefined));
  return keys;
}
