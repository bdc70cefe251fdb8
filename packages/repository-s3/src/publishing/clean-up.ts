import type { S3Client } from "@aws-sdk/client-s3";
import type { Creation } from "../bucket/creation.js";
import { endUnfinishedUploads } from "../bucket/unfinished-uploads.js";
import type { FoundHead } from "../heads/skill-heads.js";
import { tidyHeads } from "../heads/tidy-heads.js";
import type { RepositoryState } from "../repository-state.js";
import { removePurged } from "./remove-skill.js";

/** What was removed. */
export interface CleanUpResult {
  /** Number of unreachable files and records. */
  readonly objects: number;
  /** Number of unfinished multipart uploads. */
  readonly uploads: number;
}

/**
 * Removes what killed publishes and purges left behind. Files are listed before records, and a file's record follows it
 * within the duration of an upload, so an old file that no record names is unreachable.
 */
export async function cleanUp(
  state: RepositoryState,
  { client, creation }: { readonly client: S3Client; readonly creation: Creation },
  { olderThanMs, signal }: { readonly olderThanMs: number; readonly signal: AbortSignal | undefined },
): Promise<CleanUpResult> {
  const { bucket, layout } = state;
  const candidates = new Map<string, string[]>();
  let serverTime = Number.POSITIVE_INFINITY;
  for await (const page of bucket.list(layout.files, { signal })) {
    serverTime = Math.min(serverTime, page.serverTime);
    for (const { key, lastModified } of page.objects) {
      // The server reports its time in whole seconds.
      if (lastModified > page.serverTime + 999 - olderThanMs) continue;
      const [folder = ""] = key.slice(layout.files.length).split("/");
      candidates.set(folder, [...(candidates.get(folder) ?? []), key]);
    }
  }
  let objects = 0;
  const { heads } = await state.heads.listed(signal);
  for (const [folder, keys] of candidates) {
    const newest = heads.find((head) => head.folder === folder);
    const named = await namedFiles(state, newest, signal);
    // Without knowing which files are named, nothing is removed.
    if (!named) continue;
    const unnamed = keys.filter((key) => !named.has(key));
    await bucket.remove(unnamed, { signal });
    objects += unnamed.length;
  }
  for (const { publication } of heads)
    if (publication && publication.since > 0) objects += await removePurged(state, publication.name, signal);
  await tidyHeads({ state, creation, signal }, olderThanMs);
  const begunBefore = serverTime + 999 - olderThanMs;
  const place = { client, name: bucket.name, prefix: layout.own };
  const uploads = await endUnfinishedUploads(place, { begunBefore, signal });
  return { objects, uploads };
}

/** The keys of all files that a record names; `undefined` where a record is damaged. */
async function namedFiles(
  { records, layout }: RepositoryState,
  newest: FoundHead | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const named = new Set<string>();
  if (!newest) return named;
  if (!newest.publication) return undefined;
  const { name, since } = newest.publication;
  for (const { number, publication } of await records.all(name, signal)) {
    if (number <= since) continue;
    if (!publication) return undefined;
    if (publication.kind === "published")
      for (const { upload, sha256 } of publication.files) named.add(layout.fileKey(name, upload, sha256));
  }
  return named;
}
