import type { Bucket } from "../bucket/bucket.js";
import type { Layout } from "../layout.js";

/** The change objects and the packed heads of a bucket, which together spare a listing the records. */
export interface HeadObjects {
  /** One for each record that a publisher created, or was about to create, since the heads were packed. */
  readonly changes: readonly ChangeObject[];
  /** Newest first. */
  readonly packed: readonly PackedObject[];
}

interface ChangeObject {
  readonly key: string;
  /** Name of the skill's folder below the prefix of the records. */
  readonly folder: string;
  /** The number of the record. */
  readonly number: number;
  /** Milliseconds since 1970 by the server's clock. */
  readonly lastModified: number;
}

export interface PackedObject {
  readonly key: string;
  readonly generation: number;
  readonly size: number;
}

/**
 * Lists both. Changes come first in the order of keys, and a change is removed only when packed heads that contain its
 * record exist. So the record of a change that this listing misses is in the packed heads that it shows.
 */
export async function headObjects(
  bucket: Bucket,
  layout: Layout,
  signal: AbortSignal | undefined,
): Promise<HeadObjects> {
  const changes: ChangeObject[] = [];
  const packed: PackedObject[] = [];
  for await (const { objects } of bucket.list(layout.heads, { signal }))
    for (const { key, size, lastModified } of objects) {
      const change = layout.changeAt(key);
      const generation = layout.generationAt(key);
      if (change) changes.push({ key, ...change, lastModified });
      else if (generation !== undefined) packed.push({ key, generation, size });
    }
  return { changes, packed };
}
