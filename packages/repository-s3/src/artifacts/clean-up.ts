import type { S3Client } from "@aws-sdk/client-s3";
import type { CallOptions } from "@skillwright/core";
import { checkAborted, forEachLimited } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import { endUnfinishedUploads } from "../bucket/unfinished-uploads.js";
import type { ArtifactKeys } from "./artifact-keys.js";
import { readRecord } from "./artifact-record.js";
import { recordKeys } from "./newest-records.js";

const ONE_DAY_MS = 86_400_000;

export interface CleanUpOptions extends CallOptions {
  /**
   * Minimum age by the server's clock; defaults to one day. It must exceed the duration of any save: younger content
   * may belong to a save in progress.
   */
  readonly olderThanMs?: number | undefined;
}

export interface RemovedLeftovers {
  /** Number of contents without a version. */
  readonly contents: number;
  /** Number of unfinished uploads. */
  readonly uploads: number;
}

export interface CleanUpPlace {
  readonly client: S3Client;
  readonly bucket: Bucket;
  readonly keys: ArtifactKeys;
}

/**
 * Lists records and contents. Reads records only for artifacts that have more contents than versions: each version has
 * its own content, so nothing is left over where the counts are equal.
 */
export async function cleanUpArtifacts(
  { client, bucket, keys }: CleanUpPlace,
  { olderThanMs = ONE_DAY_MS, signal }: CleanUpOptions,
): Promise<RemovedLeftovers> {
  checkAborted(signal);
  const { contents, serverTime } = await contentsByFolder({ bucket, keys }, olderThanMs, signal);
  const versions = new Map<string, number>();
  for (const key of await recordKeys(bucket, keys.allRecords, { signal })) {
    const folder = folderBehind(keys.allRecords, key);
    versions.set(folder, (versions.get(folder) ?? 0) + 1);
  }
  const left: string[] = [];
  for (const [folder, { count, old }] of contents) {
    if (old.length === 0 || count <= (versions.get(folder) ?? 0)) continue;
    const named = await namedContents(bucket, keys, folder, signal);
    left.push(...old.filter((key) => !named.has(key)));
  }
  await bucket.remove(left, { signal });
  const uploads = await endUnfinishedUploads(
    { client, name: bucket.name, prefix: keys.allContent },
    { begunBefore: serverTime - olderThanMs, signal },
  );
  return { contents: left.length, uploads };
}

interface FolderContents {
  /** Number of contents of any age. */
  count: number;
  readonly old: string[];
}

async function contentsByFolder(
  { bucket, keys }: Pick<CleanUpPlace, "bucket" | "keys">,
  olderThanMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly contents: ReadonlyMap<string, FolderContents>; readonly serverTime: number }> {
  const folders = new Map<string, FolderContents>();
  let serverTime = Date.now();
  for await (const page of bucket.list(keys.allContent, { signal })) {
    // The server reports whole seconds, while objects have milliseconds.
    serverTime = page.serverTime + 999;
    for (const { key, lastModified } of page.objects) {
      const folder = folderBehind(keys.allContent, key);
      const contents = folders.get(folder) ?? { count: 0, old: [] };
      folders.set(folder, contents);
      contents.count++;
      if (serverTime - lastModified >= olderThanMs) contents.old.push(key);
    }
  }
  return { contents: folders, serverTime };
}

async function namedContents(
  bucket: Bucket,
  keys: ArtifactKeys,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  // Listed again after the contents, to include a record that was created meanwhile.
  const records = await recordKeys(bucket, keys.allRecords + folder, { signal });
  await forEachLimited(records, bucket.parallel, async (key) => {
    const record = await readRecord(bucket, key, { signal });
    if (record) named.add(keys.allContent + record.content);
  });
  return named;
}

function folderBehind(start: string, key: string): string {
  return key.slice(start.length, key.lastIndexOf("/") + 1);
}
