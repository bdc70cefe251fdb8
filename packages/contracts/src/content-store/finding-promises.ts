import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContentStore } from "@skillwright/core";
import type { ContentLease } from "@skillwright/core/adapter";
import { inTime } from "../in-time.js";
import { skillMarkdown } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { type ContentPromise, source } from "./subject.js";

const UNKNOWN = `sha256:${"0".repeat(64)}`;

export const findingPromises: readonly ContentPromise[] = [
  {
    id: "content-store/find/digest",
    promise:
      "find() returns a materialized directory by its digest, also in another store, with the same diagnostics.",
    seed: undefined,
    run: async ({ store, other }) => {
      const made = await materialize(store, "w1", { "out/own.txt": "kept" });
      const found = await other.find({ digest: made.digest }, { owner: "w2" });
      assert.deepEqual(
        [found?.digest, found?.directory, found?.diagnostics],
        [made.digest, made.directory, made.diagnostics],
      );
      assert.equal(made.diagnostics.length, 1);
    },
  },
  {
    id: "content-store/find/missing",
    promise:
      "find() returns undefined for unknown digests and aliases, collected directories and malformed digests.",
    seed: undefined,
    run: async ({ store, other }) => {
      const { digest, release } = await materialize(store, "w1", {}, "known");
      for (const wanted of [{ digest: UNKNOWN }, { digest: "../x" }, { digest: "" }, { alias: digest }])
        assert.equal(await store.find(wanted, { owner: "w1" }), undefined, JSON.stringify(wanted));
      await release();
      await other.collect(() => true);
      for (const wanted of [{ digest }, { alias: "known" }])
        assert.equal(await store.find(wanted, { owner: "w1" }), undefined, JSON.stringify(wanted));
    },
  },
  {
    id: "content-store/find/leased",
    promise: "find() takes a lease: the directory stays until its owner is gone or releases it.",
    seed: undefined,
    run: async ({ store, other }) => {
      const made = await materialize(store, "w1");
      const found = await other.find({ digest: made.digest }, { owner: "w2" });
      await made.release();
      assert.deepEqual(await store.collect(() => true), []);
      await found?.release();
      assert.deepEqual(await store.collect(() => true), [made.digest]);
    },
  },
  {
    id: "content-store/find/alias",
    promise:
      "An alias refers to the digest it was last given, also in another store; any text may be an alias.",
    seed: undefined,
    run: async ({ store, other }) => {
      const odd = "../a/\u0000 \ud83d\ude00".repeat(100);
      const former = await materialize(store, "w1", { "x.txt": "1" }, odd);
      assert.equal((await other.find({ alias: odd }, { owner: "w2" }))?.digest, former.digest);
      await materialize(store, "w1", { "x.txt": "3" }, `${odd}.`);
      const later = await materialize(other, "w1", { "x.txt": "2" }, odd);
      const found = await store.find({ alias: odd }, { owner: "w2" });
      assert.equal(found?.digest, later.digest);
      assert.equal((await readFile(join(found.directory, "x.txt"))).toString(), "2");
    },
  },
  {
    id: "content-store/find/within-open",
    promise:
      "find() may be called inside `open` for the directory being materialized, and does not wait for it.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open } = source();
      const found: unknown[] = [];
      const { digest } = await store.materialize(manifest, open, { owner: "w1" });
      await store.releaseAll("w1");
      await store.collect(() => true);
      const asking = async (path: string) => {
        found.push(await store.find({ digest }, { owner: "w2" }));
        return await open(path);
      };
      await inTime(store.materialize(manifest, asking, { owner: "w1" }), "Materialising");
      assert.deepEqual(
        found,
        manifest.files.map(() => undefined),
      );
    },
  },
  endsWhenAborted("content-store/find/aborted", undefined, ({ store }, signal) =>
    store.find({ digest: UNKNOWN }, { owner: "w1", signal }),
  ),
];

async function materialize(
  store: ContentStore,
  owner: string,
  files: Readonly<Record<string, string>> = {},
  alias?: string,
): Promise<ContentLease> {
  const { manifest, open } = source({ "SKILL.md": skillMarkdown("demo"), ...files });
  return await store.materialize(manifest, open, { owner, alias });
}
