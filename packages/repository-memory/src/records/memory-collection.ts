import type { MemoryRecord } from "../memory-records.js";

interface Listing {
  readonly order: "key" | "newest";
  readonly after: string | undefined;
  readonly limit: number;
}

interface Found {
  readonly found: readonly (readonly [name: string, record: MemoryRecord])[];
  readonly next: string | undefined;
}

/** The records of one collection, whose pages are found without looking at all of them. */
export function memoryCollection() {
  const records = new Map<string, MemoryRecord>();
  /** By the bytes of UTF-8; `undefined` after a name came or went. */
  let sorted: readonly string[] | undefined;
  /** All writes in order. Those whose revision is not the record's any more are skipped, and removed when they are many. */
  let writes: { readonly name: string; readonly revision: string; readonly number: number }[] = [];
  let number = 0;

  const isLast = ({ name, revision }: (typeof writes)[number]) => records.get(name)?.revision === revision;

  function set(name: string, record: MemoryRecord): void {
    if (!records.has(name)) sorted = undefined;
    records.set(name, record);
    writes.push({ name, revision: record.revision, number: ++number });
    if (writes.length > 2 * records.size + 100) writes = writes.filter(isLast);
  }

  function byKey({ after, limit }: Listing): Found {
    sorted ??= [...records.keys()].sort(byBytes);
    const start = after === undefined ? 0 : firstAfter(sorted, after);
    const names = sorted.slice(start, start + limit);
    const found = names.map((name) => [name, records.get(name) as MemoryRecord] as const);
    return { found, next: start + limit < sorted.length ? names.at(-1) : undefined };
  }

  function byAge({ after, limit }: Listing): Found {
    const before = after === undefined ? number + 1 : Number(after);
    const found: (readonly [string, MemoryRecord])[] = [];
    let last = before;
    for (let at = writes.length - 1; at >= 0; at--) {
      const write = writes[at] as (typeof writes)[number];
      if (write.number >= before || !isLast(write)) continue;
      if (found.length === limit) return { found, next: String(last) };
      found.push([write.name, records.get(write.name) as MemoryRecord]);
      last = write.number;
    }
    return { found, next: undefined };
  }

  return {
    get: (name: string) => records.get(name),
    set,
    delete: (name: string) => {
      if (records.delete(name)) sorted = undefined;
    },
    isEmpty: () => records.size === 0,
    page: (listing: Listing) => (listing.order === "key" ? byKey(listing) : byAge(listing)),
  };
}

function firstAfter(sorted: readonly string[], name: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byBytes(sorted[middle] as string, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** UTF-16 sorts characters beyond U+FFFF before some others. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
