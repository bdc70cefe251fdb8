import { checkAborted } from "@skillwright/core/adapter";
import type { Creation } from "../bucket/creation.js";
import type { RepositoryState } from "../repository-state.js";
import { type HeadObjects, headObjects } from "./head-objects.js";
import { MOST_PACKED_BYTES, packedBytes } from "./packed-heads.js";

export interface PackParts {
  readonly state: RepositoryState;
  readonly creation: Creation;
  readonly signal: AbortSignal | undefined;
}

/** Readers look up each change, so heads are packed anew after this many, and one more for each 64 kB of heads. */
const FEW_CHANGES = 16;
const BYTES_PER_CHANGE = 64 * 1024;

/** Packs the heads where many changed since. Listings only take longer where that fails. */
export async function packWhenDue(parts: PackParts): Promise<void> {
  const { state, signal } = parts;
  try {
    const objects = await headObjects(state.bucket, state.layout, signal);
    const room = FEW_CHANGES + (objects.packed[0]?.size ?? 0) / BYTES_PER_CHANGE;
    if (objects.changes.length > room) await packHeads(parts, objects);
  } catch {
    // The skill is published already, so that its upload has succeeded.
  }
}

/**
 * Writes the heads of all records under the next generation, and removes the changes that are in them. Of several
 * processes only one creates a generation, and all records are listed after the one before was seen: so each generation
 * has whatever an earlier one had.
 */
export async function packHeads(
  { state, creation, signal }: PackParts,
  { changes, packed }: HeadObjects,
): Promise<void> {
  const { bucket, layout } = state;
  checkAborted(signal);
  // Fails without the right to remove objects. Changes would pile up then, and each publisher would pack again.
  await bucket.remove([layout.nothing], { signal });
  const generation = (packed[0]?.generation ?? 0) + 1;
  const listing = await state.heads.listed(signal);
  if (generation === 1 && listing.heads.length === 0) return;
  const bytes = packedBytes(listing, layout);
  if (bytes.byteLength > MOST_PACKED_BYTES) return;
  const key = layout.packedKey(generation);
  const isCreated = await creation.exclusively(LOCK, { signal }, () =>
    creation.create(key, bytes, { signal, contentType: "application/x-ndjson" }),
  );
  if (!isCreated) return;
  const numbers = new Map(listing.heads.map(({ folder, number }) => [folder, number]));
  const covered = changes.filter(({ folder, number }) => number <= (numbers.get(folder) ?? 0));
  // A reader may be about to read the generation before.
  const older = packed.filter((one) => one.generation < generation - 1);
  await bucket.remove(
    [...older, ...covered].map((object) => object.key),
    { signal },
  );
}

/** No skill has this name. */
const LOCK = ".heads";
