import type { SkillRules } from "@skillwright/core/adapter";
import { type ListedFile, type SkillFolder, skillFileOf, skillFolder } from "@skillwright/core/adapter";
import type { Bucket } from "../bucket/bucket.js";
import type { ListedObject } from "../bucket/list-objects.js";
import type { Layout } from "../layout.js";

/** One object below the prefix. */
export interface PlainFile extends ListedFile {
  readonly key: string;
  readonly etag: string;
}

/** A folder with a SKILL.md, as far as a listing shows it. */
export type PlainFolder = SkillFolder<PlainFile>;

/** Everything below the prefix except published objects. */
export async function plainEntries(
  bucket: Bucket,
  { prefix, own, behindOwn }: Layout,
  signal: AbortSignal | undefined,
): Promise<readonly PlainFile[]> {
  // Keys of this package, which may be many, are never listed: nearly always they come first.
  const [first, behind] = await Promise.all([firstKey(), taken(behindOwn)]);
  const isBefore = first !== undefined && first < own;
  return isBefore ? [...(await taken(undefined)), ...behind] : behind;

  async function firstKey(): Promise<string | undefined> {
    for await (const { objects } of bucket.list(prefix, { signal, pageSize: 1 }))
      for (const { key } of objects) return key;
    return undefined;
  }

  /** The files after that key; without a key, those before the keys of this package. */
  async function taken(startAfter: string | undefined): Promise<PlainFile[]> {
    const entries: PlainFile[] = [];
    for await (const { objects } of bucket.list(prefix, { signal, startAfter }))
      for (const object of objects) {
        if (startAfter === undefined && object.key >= own) return entries;
        if (object.key !== prefix) entries.push(entry(object, prefix));
      }
    return entries;
  }
}

/** The current folder; `undefined` where it has no SKILL.md. */
export async function plainFolder(
  bucket: Bucket,
  layout: Layout,
  {
    path,
    name,
    rules,
    signal,
  }: {
    readonly path: string;
    readonly name: string;
    readonly rules: SkillRules;
    readonly signal: AbortSignal | undefined;
  },
): Promise<PlainFolder | undefined> {
  const making = skillFolder<PlainFile>(path, name, rules);
  if (path === ".") {
    for (const each of await plainEntries(bucket, layout, signal)) making.take(each, each.path);
  } else {
    const before = `${layout.prefix}${path}/`;
    listing: for await (const { objects } of bucket.list(before, { signal }))
      for (const object of objects) {
        if (making.isFull()) break listing;
        making.take(entry(object, layout.prefix), object.key.slice(before.length));
      }
  }
  const folder = making.finished();
  return skillFileOf(folder) ? folder : undefined;
}

function entry({ key, size, etag, lastModified }: ListedObject, prefix: string): PlainFile {
  return { path: key.slice(prefix.length), key, size, etag, stamp: `${etag} ${size} ${lastModified}` };
}
