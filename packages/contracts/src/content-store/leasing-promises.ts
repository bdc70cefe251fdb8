import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import type { ContentStore } from "@skillwright/core";
import { skillMarkdown } from "../seeds.js";
import { type ContentPromise, source } from "./subject.js";

export const leasingPromises: readonly ContentPromise[] = [
  {
    id: "content-store/collect/unleased",
    promise: "collect() removes the directories without a lease and returns their digests; the others stay.",
    seed: undefined,
    run: async ({ store }) => {
      const kept = await materialize(store, "w1", "kept");
      const dropped = await materialize(store, "w1", "dropped");
      await dropped.release();
      assert.deepEqual(await store.collect(() => true), [dropped.digest]);
      assert.deepEqual([await exists(kept.directory), await exists(dropped.directory)], [true, false]);
      assert.deepEqual(await store.collect(() => true), []);
    },
  },
  {
    id: "content-store/collect/leased",
    promise: "A directory stays while one of its owners is alive, also when another store collects.",
    seed: undefined,
    run: async ({ store, other }) => {
      const first = await materialize(store, "w1");
      const second = await materialize(store, "w2");
      await first.release();
      const collected = await other.collect(async (owner) => owner === "w2");
      assert.deepEqual([collected, await exists(second.directory)], [[], true]);
    },
  },
  {
    id: "content-store/collect/dead-owner",
    promise: "The lease of an owner that is gone does not keep a directory from being collected.",
    seed: undefined,
    run: async ({ store, other }) => {
      const { digest, directory } = await materialize(store, "w1");
      assert.deepEqual(await other.collect((owner) => owner !== "w1"), [digest]);
      assert.equal(await exists(directory), false);
    },
  },
  {
    id: "content-store/collect/again",
    promise: "materialize() creates a collected directory again.",
    seed: undefined,
    run: async ({ store, other }) => {
      await materialize(store, "w1");
      await other.collect(() => false);
      const { directory } = await materialize(store, "w1");
      assert.equal(await exists(directory), true);
    },
  },
  {
    id: "content-store/release/one-lease",
    promise:
      "An owner has one lease per directory: one release ends it, and a second release is not an error.",
    seed: undefined,
    run: async ({ store }) => {
      const first = await materialize(store, "w1");
      const again = await materialize(store, "w1");
      await again.release();
      await again.release();
      assert.deepEqual(await store.collect(() => true), [first.digest]);
    },
  },
  {
    id: "content-store/release/all",
    promise:
      "releaseAll() ends all leases of one owner, also those taken through another store, and no others.",
    seed: undefined,
    run: async ({ store, other }) => {
      const mine = [await materialize(store, "w/1", "a"), await materialize(store, "w/1", "b")];
      const theirs = await materialize(store, "w/2", "c");
      await other.releaseAll("w/1");
      const collected = await other.collect(() => true);
      assert.deepEqual([...collected].sort(), mine.map(({ digest }) => digest).sort());
      assert.equal(await exists(theirs.directory), true);
    },
  },
];

async function materialize(
  store: ContentStore,
  owner: string,
  text = "",
): Promise<Awaited<ReturnType<ContentStore["materialize"]>>> {
  const { manifest, open } = source({ "SKILL.md": skillMarkdown("demo"), "x.txt": text });
  return await store.materialize(manifest, open, { owner });
}

async function exists(directory: string): Promise<boolean> {
  return await access(directory).then(
    () => true,
    () => false,
  );
}
