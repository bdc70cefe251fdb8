import assert from "node:assert/strict";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { manifestDigest } from "@skillwright/core";
import { SKILL_LINKS } from "@skillwright/core/adapter";
import { skillMarkdown } from "../seeds.js";
import { type ContentPromise, source } from "./subject.js";

export const materializingPromises: readonly ContentPromise[] = [
  {
    id: "content-store/materialize/files",
    promise: "The directory contains the files of the manifest, the links, and nothing else.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open } = source();
      const { digest, directory } = await store.materialize(manifest, open, { owner: "w1" });
      assert.equal(digest, manifestDigest(manifest));
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      assert.equal(files.length, manifest.files.length);
      assert.equal((await readFile(join(directory, "scripts/run.sh"))).toString(), "#!/bin/sh\necho run\n");
      assert.deepEqual([...(await readFile(join(directory, "assets/deep/logo.bin")))], [0, 255, 13, 10]);
      assert.equal((await lstat(join(directory, "empty.txt"))).size, 0);
    },
  },
  {
    id: "content-store/materialize/read-only",
    promise: "No file or directory is writable, and the executable bits are those of the manifest.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open } = source();
      const { directory } = await store.materialize(manifest, open, { owner: "w1" });
      const mode = async (path: string): Promise<number> => (await lstat(join(directory, path))).mode & 0o777;
      for (const path of ["SKILL.md", "empty.txt", "assets/deep/logo.bin"])
        assert.equal(await mode(path), 0o444, path);
      for (const path of ["", "scripts", "scripts/run.sh", "assets/deep"])
        assert.equal(await mode(path), 0o555, path);
    },
  },
  {
    id: "content-store/materialize/links",
    promise: "The directory contains the symlinks that SKILL_LINKS defines.",
    seed: undefined,
    run: async ({ store }) => {
      const { manifest, open } = source();
      const { directory, diagnostics } = await store.materialize(manifest, open, { owner: "w1" });
      assert.deepEqual(diagnostics, []);
      for (const [name, target] of Object.entries(SKILL_LINKS)) {
        const found = await readlink(join(directory, name)).catch(() => "no link");
        assert.equal(found, target);
      }
    },
  },
  {
    id: "content-store/materialize/own-entries",
    promise:
      "A skill's own file or directory replaces a link of the same name, and every call reports a diagnostic.",
    seed: undefined,
    run: async ({ store }) => {
      const files = { "SKILL.md": skillMarkdown("own"), "out/kept.txt": "kept", inputs: "a file" };
      for (const owner of ["w1", "w2"]) {
        const { manifest, open } = source(files);
        const { directory, diagnostics } = await store.materialize(manifest, open, { owner });
        assert.equal(await readFile(join(directory, "out/kept.txt"), "utf8"), "kept");
        assert.equal(await readFile(join(directory, "inputs"), "utf8"), "a file");
        assert.deepEqual(diagnostics.map(({ path }) => path).sort(), ["inputs", "out"]);
      }
    },
  },
  {
    id: "content-store/materialize/once",
    promise: "A digest that is already materialized is reused by every store, and no file is opened.",
    seed: undefined,
    run: async ({ store, other }) => {
      const first = source();
      const { directory } = await store.materialize(first.manifest, first.open, { owner: "w1" });
      const inode = (await lstat(directory)).ino;
      for (const again of [store, other]) {
        const { manifest, open, opened } = source();
        const lease = await again.materialize(manifest, open, { owner: "w2" });
        assert.deepEqual([lease.directory, opened()], [directory, 0]);
      }
      assert.equal((await lstat(directory)).ino, inode);
    },
  },
  {
    id: "content-store/materialize/at-once",
    promise:
      "Concurrent callers get the same directory, also through several stores; a store opens each file at most once.",
    seed: undefined,
    run: async ({ store, other }) => {
      const mine = source();
      const theirs = source();
      const leases = await Promise.all(
        [...Array(6).keys()].flatMap((index) => [
          store.materialize(mine.manifest, mine.open, { owner: `a${index}` }),
          other.materialize(theirs.manifest, theirs.open, { owner: `b${index}` }),
        ]),
      );
      assert.equal(new Set(leases.map(({ directory }) => directory)).size, 1);
      for (const { opened } of [mine, theirs])
        assert(opened() <= mine.manifest.files.length, `${opened()} files were opened.`);
    },
  },
  {
    id: "content-store/materialize/different",
    promise: "Different digests have different directories.",
    seed: undefined,
    run: async ({ store }) => {
      const directories = new Set<string>();
      for (const text of ["one", "two"]) {
        const { manifest, open } = source({ "SKILL.md": skillMarkdown("demo"), "x.txt": text });
        const { directory } = await store.materialize(manifest, open, { owner: "w1" });
        assert.equal(await readFile(join(directory, "x.txt"), "utf8"), text);
        directories.add(directory);
      }
      assert.equal(directories.size, 2);
    },
  },
];
