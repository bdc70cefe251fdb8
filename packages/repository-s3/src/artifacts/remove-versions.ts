import type { CallOptions } from "@skillwright/core";
import { forEachLimited } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { ArtifactKeys } from "./artifact-keys.js";
import { readRecord } from "./artifact-record.js";
import { recordKeys } from "./newest-records.js";

/**
 * Removes the current versions of an artifact. A version saved concurrently is removed completely or kept completely,
 * with the next number. The newest record is removed last, so that no number is reused meanwhile, and content is
 * removed after its record, so that no version is without content.
 */
export async function removeVersions(
  bucket: Bucket,
  keys: ArtifactKeys,
  folder: string,
  { signal }: CallOptions,
): Promise<boolean> {
  const [newest, ...older] = await recordKeys(bucket, keys.allRecords + folder, { signal });
  if (newest === undefined) return false;
  const content: string[] = [];
  await forEachLimited([newest, ...older], bucket.parallel, async (key) => {
    const record = await readRecord(bucket, key, { signal });
    if (record) content.push(keys.allContent + record.content);
  });
  await bucket.remove(older, { signal });
  await bucket.remove([newest], { signal });
  await bucket.remove(content, { signal });
  return true;
}
