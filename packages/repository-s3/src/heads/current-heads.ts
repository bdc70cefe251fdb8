import { forEachLimited } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { Layout } from "../layout.js";
import type { PublicationRecords } from "../publications/publication-records.js";
import { type HeadObjects, headObjects, type PackedObject } from "./head-objects.js";
import { MOST_PACKED_BYTES, parsePacked } from "./packed-heads.js";
import type { FoundHead, HeadListing } from "./skill-heads.js";

export interface HeadPlace {
  readonly bucket: Bucket;
  readonly layout: Layout;
  readonly records: PublicationRecords;
}

/** From this number on, a listing of all records costs less than looking up each change. */
const MANY_CHANGES = 500;

/**
 * The newest head of every skill, from the packed heads and the records that changed since. `undefined` where there are
 * no packed heads, or a publisher that does not keep them has opened the bucket.
 */
export async function currentHeads(
  { bucket, layout, records }: HeadPlace,
  signal: AbortSignal | undefined,
): Promise<HeadListing | undefined> {
  const [older, objects] = await Promise.all([
    bucket.list(layout.olderProbe, { signal, pageSize: 1 }).next(),
    headObjects(bucket, layout, signal),
  ]);
  if (older.value?.objects.some(({ key }) => key === layout.olderProbe)) return undefined;
  const packed = await newestPacked({ bucket, layout }, objects.packed, signal);
  if (!packed) return undefined;
  const heads = new Map(packed.heads.map((head) => [head.folder, head]));
  const changed = changedFolders(objects, heads);
  if (changed.size > MANY_CHANGES) return undefined;
  await forEachLimited(changed, bucket.parallel, async (folder) => {
    const { record } = await records.newestIn(folder, signal);
    if (record) heads.set(folder, record);
    else heads.delete(folder);
  });
  return { heads: [...heads.values()], diagnostics: packed.diagnostics };
}

/** The content of the newest packed heads; `undefined` where there are none, or they are damaged. */
export async function newestPacked(
  { bucket, layout }: Pick<HeadPlace, "bucket" | "layout">,
  [newest]: readonly PackedObject[],
  signal: AbortSignal | undefined,
): Promise<HeadListing | undefined> {
  if (!newest || newest.size > MOST_PACKED_BYTES) return undefined;
  const object = await bucket.get(newest.key, { signal, listedSize: newest.size });
  return object && (await parsePacked(object.content, layout));
}

/** The folders of skills whose newest record may be newer than their head. */
function changedFolders(
  { changes }: Pick<HeadObjects, "changes">,
  heads: ReadonlyMap<string, FoundHead>,
): ReadonlySet<string> {
  const changed = changes.filter(({ folder, number }) => number > (heads.get(folder)?.number ?? 0));
  return new Set(changed.map(({ folder }) => folder));
}
