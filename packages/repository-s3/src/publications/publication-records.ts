import { readText } from "@skillwright/core";
import { deepFreeze, forEachLimited } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { ListedObject } from "../bucket/list-objects.js";
import { folderOf, type Layout } from "../layout.js";
import { parsePublication } from "./parse-publication.js";
import type { Publication } from "./publication.js";

/** An existing record. */
export interface FoundRecord {
  /** Changes with the record. */
  readonly mark: string;
  /** The skill's folder among the records. */
  readonly folder: string;
  readonly number: number;
  /** `undefined` for a damaged record. */
  readonly publication: Publication | undefined;
}

export interface NewestRecord {
  readonly record: FoundRecord | undefined;
  /** Time of the listing by the server's clock, in milliseconds since 1970. */
  readonly serverTime: number;
}

/** The records of published skills. Records never change, so each is read only once. */
export interface PublicationRecords {
  /** Costs listing one key, plus a read where the record is new. */
  newest(name: string, signal: AbortSignal | undefined): Promise<NewestRecord>;
  /** As `newest`, for a skill's folder below the prefix of the records. */
  newestIn(folder: string, signal: AbortSignal | undefined): Promise<NewestRecord>;
  /** The record that a listing of the bucket showed; `undefined` where the object is not a record. */
  listed(object: ListedObject, signal: AbortSignal | undefined): Promise<FoundRecord | undefined>;
  /** The record with that number, whether or not it was purged. */
  numbered(name: string, number: number, signal: AbortSignal | undefined): Promise<FoundRecord | undefined>;
  /** All existing records of a skill, newest first, including purged ones that were left behind. */
  all(name: string, signal: AbortSignal | undefined): Promise<readonly FoundRecord[]>;
  forget(): void;
}

/** A few megabytes; a record of a skill with 50 files takes about 10 kB. */
const MAX_REMEMBERED = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;

export function publicationRecords(bucket: Bucket, layout: Layout): PublicationRecords {
  const memory = new Map<string, FoundRecord>();

  const newestIn: PublicationRecords["newestIn"] = async (folder, signal) => {
    let serverTime = Date.now();
    for await (const page of bucket.list(`${layout.records}${folder}/`, { signal, pageSize: 1 })) {
      serverTime = page.serverTime;
      const [object] = page.objects;
      const record = object && (await read(object, signal));
      if (record) return { record, serverTime };
    }
    return { record: undefined, serverTime };
  };

  const listed: PublicationRecords["listed"] = async (object, signal) => {
    const { key, etag } = object;
    const place = layout.recordAt(key);
    // A record that cannot be read counts as damaged, and not as missing.
    return (
      place && ((await read(object, signal)) ?? { mark: `${key} ${etag}`, ...place, publication: undefined })
    );
  };

  const numbered: PublicationRecords["numbered"] = (name, number, signal) =>
    read({ key: layout.recordKey(name, number), etag: "" }, signal);

  const all: PublicationRecords["all"] = async (name, signal) => {
    const objects: ListedObject[] = [];
    for await (const page of bucket.list(layout.recordsOf(name), { signal })) objects.push(...page.objects);
    const found = new Map<string, FoundRecord>();
    await forEachLimited(objects, bucket.parallel, async (object) => {
      const record = await listed(object, signal);
      if (record) found.set(object.key, record);
    });
    return objects.flatMap(({ key }) => found.get(key) ?? []);
  };

  return {
    newest: (name, signal) => newestIn(folderOf(name), signal),
    ...{ newestIn, listed, numbered, all },
    forget: () => memory.clear(),
  };

  /** `undefined` for an object that is not a record, or was removed. */
  async function read(
    { key, etag }: Pick<ListedObject, "key" | "etag">,
    signal: AbortSignal | undefined,
  ): Promise<FoundRecord | undefined> {
    const mark = `${key} ${etag}`;
    const known = memory.get(mark);
    if (known) return known;
    const place = layout.recordAt(key);
    const object = place && (await bucket.get(key, { signal }));
    if (!place || !object) return undefined;
    const record = deepFreeze({ mark, ...place, publication: await publicationIn(object, place) });
    memory.set(mark, record);
    const [oldest] = memory.keys();
    if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest);
    return record;
  }
}

async function publicationIn(
  object: NonNullable<Awaited<ReturnType<Bucket["get"]>>>,
  { folder, number }: { readonly folder: string; readonly number: number },
): Promise<Publication | undefined> {
  if (object.size > MAX_BYTES) {
    object.discard();
    return undefined;
  }
  const publication = parsePublication(await readText(object.content, MAX_BYTES), number);
  return publication && folderOf(publication.name) === folder ? publication : undefined;
}
