import type { Diagnostic } from "@skillwright/core";
import { checkAborted, forEachLimited, repositoryDiagnostic } from "@skillwright/core/adapter";
import type { ListedObject } from "../bucket/list-objects.js";
import type { PublicationHead } from "../publications/publication.js";
import { currentHeads, type HeadPlace, newestPacked } from "./current-heads.js";
import { headObjects } from "./head-objects.js";

/** The newest record of a skill, as listings see it. */
export interface FoundHead {
  /** Key and ETag of the record, so that it differs for each record. */
  readonly mark: string;
  /** Name of the skill's folder below the prefix of the records. */
  readonly folder: string;
  readonly number: number;
  /** `undefined` for a damaged record. */
  readonly publication: PublicationHead | undefined;
}

export interface HeadListing {
  readonly heads: readonly FoundHead[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The newest record of every published skill. */
export interface SkillHeads {
  /**
   * The first time from the packed heads, where there are some, and the changes since. Later, and where these cannot be
   * used, as `listed`.
   */
  newest(signal: AbortSignal | undefined): Promise<HeadListing>;
  /** Lists the keys of all records, and reads those records that are neither remembered nor in the packed heads. */
  listed(signal: AbortSignal | undefined): Promise<HeadListing>;
  forget(): void;
}

/** Up to this many unknown records are read one by one, which takes no longer than reading the packed heads. */
const MANY = 32;

export function skillHeads(place: HeadPlace): SkillHeads {
  const { bucket, layout, records } = place;
  let isFirst = true;
  let last: HeadListing | undefined;

  const newest: SkillHeads["newest"] = async (signal) => {
    const begins = isFirst;
    isFirst = false;
    const current = begins ? await unlessFailed(currentHeads(place, signal), signal) : undefined;
    return current ? remembered(current) : await listed(signal);
  };

  const listed: SkillHeads["listed"] = async (signal) => {
    const objects = new Map<string, ListedObject>();
    const diagnostics: Diagnostic[] = [];
    for await (const page of bucket.list(layout.records, { signal }))
      for (const object of page.objects) {
        const found = layout.recordAt(object.key);
        if (!found && diagnostics.length === 0)
          diagnostics.push(repositoryDiagnostic("record.name", object.key.slice(layout.prefix.length)));
        if (found && !objects.has(found.folder)) objects.set(found.folder, object);
      }
    return remembered({ heads: await read([...objects.values()], signal), diagnostics });
  };

  return {
    newest,
    listed,
    forget: () => {
      last = undefined;
    },
  };

  async function read(
    objects: readonly ListedObject[],
    signal: AbortSignal | undefined,
  ): Promise<readonly FoundHead[]> {
    const found = new Map<string, FoundHead>();
    const unknown: ListedObject[] = [];
    const take = (heads: ReadonlyMap<string, FoundHead>, { key, etag }: ListedObject): boolean => {
      const head = heads.get(`${key} ${etag}`);
      if (head) found.set(key, head);
      return head !== undefined;
    };
    const known = last ? byMark(last) : undefined;
    for (const object of objects) if (!known || !take(known, object)) unknown.push(object);
    const packed = unknown.length > MANY ? await unlessFailed(packedByMark(signal), signal) : undefined;
    const unread = packed ? unknown.filter((object) => !take(packed, object)) : unknown;
    await forEachLimited(unread, bucket.parallel, async (object) => {
      const record = await records.listed(object, signal);
      if (record) found.set(object.key, record);
    });
    return objects.flatMap(({ key }) => found.get(key) ?? []);
  }

  async function packedByMark(
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, FoundHead> | undefined> {
    const { packed } = await headObjects(bucket, layout, signal);
    const listing = await newestPacked(place, packed, signal);
    return listing && byMark(listing);
  }

  function remembered(listing: HeadListing): HeadListing {
    last = listing;
    return listing;
  }
}

function byMark({ heads }: HeadListing): ReadonlyMap<string, FoundHead> {
  return new Map(heads.map((head) => [head.mark, head]));
}

/** Without the packed heads, everything is read from the records, which tell a failure of the bucket. */
async function unlessFailed<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    checkAborted(signal);
    return undefined;
  }
}
