import type { CallOptions } from "@skillwright/core";
import { LABELS, MANAGER } from "../pod/pod-names.js";
import type { Cluster } from "./cluster.js";
import { statusOf } from "./cluster-error.js";

const PAGE = 500;

interface Page<T> {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly T[];
}

/** All objects of a kind that have the labels of this runtime and of the owner, in pages of 500. */
export async function* managedObjects<T>(
  cluster: Cluster,
  {
    path,
    owner,
    doing,
  }: { readonly path: string; readonly owner: string | undefined; readonly doing: string },
  options: CallOptions,
): AsyncGenerator<T, void, undefined> {
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      labelSelector: `${LABELS.managed}=${MANAGER},${owner === undefined ? `!${LABELS.owner}` : `${LABELS.owner}=${owner}`}`,
      limit: `${PAGE}`,
      ...(next && { continue: next }),
    });
    const page = await cluster.call<Page<T>>({ path: `${path}?${query}`, doing }, options);
    yield* page.items;
    next = page.metadata.continue || undefined;
  } while (next !== undefined);
}

/** Deletes exactly the object with that UID. False where it is gone, or another one has its name. */
export async function removeObject(
  cluster: Cluster,
  { path, doing, uid }: { readonly path: string; readonly doing: string; readonly uid: string },
  how: object,
  options: CallOptions,
): Promise<boolean> {
  const body = { ...how, preconditions: { uid } };
  try {
    return (await cluster.find<object>({ method: "DELETE", path, body, doing }, options)) !== undefined;
  } catch (error) {
    if (statusOf(error) === 409) return false;
    throw error;
  }
}
