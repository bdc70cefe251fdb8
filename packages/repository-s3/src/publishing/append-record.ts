import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import type { Creation } from "../bucket/creation.js";
import { packWhenDue } from "../heads/pack-heads.js";
import { type Publication, type PublishedSkill, publicationBytes } from "../publications/publication.js";
import type { FoundRecord, NewestRecord } from "../publications/publication-records.js";
import type { RepositoryState } from "../repository-state.js";

const ATTEMPTS = 60;
const MAX_WAIT_MS = 400;

/** The content of the next record, beyond the common fields. */
export type NextRecord =
  | (Pick<Publication, "path" | "hides"> & { readonly kind: "deleted" | "purged" })
  | Omit<PublishedSkill, "formatVersion" | "number" | "id" | "name" | "createdAt" | "since">;

export interface AppendParts {
  readonly state: RepositoryState;
  readonly creation: Creation;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Derives the next record of the skill from the newest one and creates it as a new object: after a collision it reads
 * again and decides anew. `decide` returns the record, or another result where nothing is to be written.
 * @throws SkillError `CONFLICT` after 60 attempts; what `decide` throws.
 */
export async function appendRecord<Result>(
  { state, creation, name, signal }: AppendParts,
  decide: (newest: FoundRecord | undefined) => Promise<NextRecord | { readonly result: Result }>,
): Promise<Publication | { readonly result: Result }> {
  const outcome = await creation.exclusively(name, { signal }, async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      checkAborted(signal);
      const newest = await state.records.newest(name, signal);
      const next = await decide(newest.record);
      if ("result" in next) return next;
      const publication = following(newest, name, next);
      const key = state.layout.recordKey(name, publication.number);
      const options = { signal, contentType: "application/json" };
      // Before the record, so that no listing from the packed heads can miss it.
      await state.bucket.put(state.layout.changeKey(name, publication.number), new Uint8Array(), { signal });
      if (await creation.create(key, publicationBytes(publication), options)) {
        state.last = undefined;
        return publication;
      }
      const wait = Math.min(MAX_WAIT_MS, 5 * (attempt + 1)) * Math.random();
      await untilAborted(delay(wait), signal);
    }
    const message = `Other writers kept publishing the skill "${name}". Try again when they are done.`;
    throw new SkillError("CONFLICT", message, { details: { name } });
  });
  if (!("result" in outcome)) await packWhenDue({ state, creation, signal });
  return outcome;
}

function following({ record, serverTime }: NewestRecord, name: string, next: NextRecord): Publication {
  const number = (record?.number ?? 0) + 1;
  return {
    formatVersion: 1,
    ...{ number, id: randomUUID(), name, createdAt: new Date(serverTime).toISOString() },
    since: next.kind === "purged" ? number : (record?.publication?.since ?? 0),
    ...next,
  };
}
