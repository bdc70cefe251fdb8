import {
  type ByteSource,
  type CallOptions,
  type ContentStore,
  manifestDigest,
  type SkillManifest,
} from "@skillwright/core";
import { type ContentLease, manifestSize, recentlyUsed } from "@skillwright/core/adapter";

export interface HeldContentOptions {
  readonly content: ContentStore;
  /** Prefix of the owner of each lease. */
  readonly owner: string;
  readonly skills: number;
  readonly bytes: number;
}

export interface HeldDirectory {
  readonly digest: string;
  readonly directory: string;
}

export type WantedContent = { readonly digest: string } | { readonly alias: string };

/** Keeps leases on the most recently used directories of a content store. */
export interface HeldContent {
  /** Returns an existing directory; `undefined` where there is none. Does not wait for one that is being created. */
  find(wanted: WantedContent, options: CallOptions): Promise<HeldDirectory | undefined>;
  /** Lets the store create a missing directory from `open`. Rejects as `materialize` does. */
  make(
    manifest: SkillManifest,
    open: (path: string) => Promise<ByteSource>,
    options: CallOptions & { readonly alias: string | undefined },
  ): Promise<HeldDirectory>;
  /** Records the size of a directory that was found. */
  weigh(digest: string, bytes: number): void;
  /** Releases all leases. @throws what the store throws. */
  release(): Promise<void>;
}

export function heldContent({ content, owner, skills, bytes }: HeldContentOptions): HeldContent {
  // A lease that cannot be released now is released by a later collection, at the latest when its owner is no longer
  // live.
  const drop = (lease: ContentLease): void => void lease.release().catch(() => undefined);
  const held = recentlyUsed<ContentLease>({ entries: skills, weight: bytes, onDropped: drop });
  let leases = 0;
  let isReleased = false;

  const find: HeldContent["find"] = async (wanted, { signal }) => {
    const known = "digest" in wanted ? held.get(wanted.digest) : undefined;
    if (known) return known;
    const lease = await content.find(wanted, { owner: nextOwner(), signal });
    return lease && keep(lease, 0);
  };

  const make: HeldContent["make"] = async (manifest, open, { alias, signal }) => {
    const known = alias === undefined ? held.get(manifestDigest(manifest)) : undefined;
    if (known) return known;
    const lease = await content.materialize(manifest, open, { owner: nextOwner(), alias, signal });
    return keep(lease, manifestSize(manifest));
  };

  function weigh(digest: string, weight: number): void {
    const lease = held.get(digest);
    if (lease) held.put(digest, lease, weight);
  }

  async function release(): Promise<void> {
    isReleased = true;
    await Promise.all(held.clear().map((lease) => lease.release()));
  }

  return { find, make, weigh, release };

  /** One owner per lease: with a shared owner, releasing one lease would release the others. */
  function nextOwner(): string {
    return `${owner}/${++leases}`;
  }

  function keep(lease: ContentLease, weight: number): ContentLease {
    const former = held.get(lease.digest);
    if (former) drop(former);
    if (isReleased) drop(lease);
    else held.put(lease.digest, lease, weight);
    return lease;
  }
}
