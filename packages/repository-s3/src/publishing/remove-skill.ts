import { isSummary, pickSkill } from "@skillwright/core/adapter";
import type { RepositoryState } from "../repository-state.js";
import { type AppendParts, appendRecord, type NextRecord } from "./append-record.js";

/**
 * Records that the skill was deleted; its versions stay. Returns `false` when there was none of that name, or at that
 * path.
 */
export async function deleteSkill(parts: AppendParts): Promise<boolean> {
  const { state, creation, name, signal } = parts;
  const outcome = await deleteNamed(parts);
  if (outcome !== "look") return outcome;
  const found = pickSkill((await state.index.scan(signal)).skills, name);
  const label = found?.record?.publication?.name;
  if (label !== undefined) return (await deleteNamed({ state, creation, name: label, signal })) === true;
  if (!found?.folder) return false;
  const { path } = found.folder;
  const own = isSummary(found.found) ? found.found.name : path;
  return await append({ state, creation, name: own, signal }, { kind: "deleted", path, hides: [path] });
}

/** Returns `"look"` where nothing was published under the name. */
async function deleteNamed(parts: AppendParts): Promise<boolean | "look"> {
  const outcome = await appendRecord<boolean | "look">(parts, async (newest) => {
    const before = newest?.publication;
    if (!newest || before?.kind === "purged") return { result: "look" };
    if (before?.kind === "deleted") return { result: false };
    return { kind: "deleted", path: before?.path ?? parts.name, hides: before?.hides ?? [] };
  });
  return "result" in outcome ? outcome.result : true;
}

async function append(parts: AppendParts, next: NextRecord): Promise<boolean> {
  const outcome = await appendRecord<false>(parts, async (newest) => {
    const kind = newest?.publication?.kind;
    return kind === undefined || kind === "purged" ? next : { result: false };
  });
  return !("result" in outcome);
}

/**
 * Records that the skill was purged and then removes its objects: files first, so that an interrupted purge can be
 * continued. A concurrent publish comes either before the record and is purged too, or after it and writes all of its
 * files. Returns `false` when nothing was published under the name.
 */
export async function purgeSkill(parts: AppendParts): Promise<boolean> {
  const { state, name, signal } = parts;
  const outcome = await appendRecord<boolean>(parts, async (newest) => {
    const before = newest?.publication;
    if (!newest || before?.kind === "purged") return { result: false };
    return { kind: "purged", path: before?.path ?? name, hides: [] };
  });
  await removePurged(state, name, signal);
  return !("result" in outcome);
}

/** Removes objects of a purge that was recorded but not finished. Returns their number. */
export async function removePurged(
  { bucket, layout, records }: RepositoryState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const all = await records.all(name, signal);
  const since = all[0]?.publication?.since ?? 0;
  const gone = all.filter(({ number }) => number < since);
  const files = gone.flatMap(({ publication }) =>
    publication?.kind === "published"
      ? publication.files.map(({ upload, sha256 }) => layout.fileKey(name, upload, sha256))
      : [],
  );
  await bucket.remove(new Set(files), { signal });
  await bucket.remove(
    gone.map(({ number }) => layout.recordKey(name, number)),
    { signal },
  );
  return new Set(files).size + gone.length;
}
