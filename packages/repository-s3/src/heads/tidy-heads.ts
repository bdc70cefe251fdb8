import { headObjects } from "./head-objects.js";
import { type PackParts, packHeads } from "./pack-heads.js";

/**
 * Packs the heads as the records are now. Removes changes whose publisher ended before it created the record, and the
 * probe of publishers that do not keep the heads, where they are older than that.
 */
export async function tidyHeads(parts: PackParts, olderThanMs: number): Promise<void> {
  const { state, signal } = parts;
  const { bucket, layout } = state;
  await packHeads(parts, await headObjects(bucket, layout, signal));
  const { heads } = await state.heads.listed(signal);
  const numbers = new Map(heads.map(({ folder, number }) => [folder, number]));
  let serverTime = 0;
  const old: string[] = [];
  for (const prefix of [layout.heads, layout.olderProbe])
    for await (const page of bucket.list(prefix, { signal })) {
      serverTime ||= page.serverTime;
      for (const { key, lastModified } of page.objects) {
        // The server reports its time in whole seconds.
        if (lastModified > serverTime + 999 - olderThanMs) continue;
        const change = layout.changeAt(key);
        const isLeft = change && change.number > (numbers.get(change.folder) ?? 0);
        if (isLeft || key === layout.olderProbe) old.push(key);
      }
    }
  await bucket.remove(old, { signal });
}
