import assert from "node:assert/strict";
import { readBytes } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import { contentOf, inWorkspace, pathsOf, printed, type RuntimePromise } from "./subject.js";

const BYTES = Uint8Array.of(0, 255, 254, 10, 13, 0, 128);

async function* pieces(): AsyncIterable<Uint8Array> {
  for (const byte of BYTES) yield Uint8Array.of(byte);
}

export const filePromises: readonly RuntimePromise[] = [
  inWorkspace("put/bytes", "get() and commands read the bytes that put() wrote.", async (workspace) => {
    await workspace.put([
      { path: "work/deep/er/a.bin", content: BYTES },
      { path: "out/b.bin", content: pieces() },
      { path: "runs/empty", content: "" },
      { path: "work/run me.sh", content: "#!/bin/sh\necho ran\n", executable: true },
    ]);
    assert.deepEqual([...(await readBytes(await workspace.get("work/deep/er/a.bin"), 100))], [...BYTES]);
    assert.deepEqual([...(await readBytes(await workspace.get("out/b.bin"), 100))], [...BYTES]);
    assert.equal(await contentOf(workspace, "runs/empty"), "");
    assert.equal(await printed(workspace, 'cmp out/b.bin work/deep/er/a.bin && "work/run me.sh"'), "ran\n");
    assert.equal(
      await printed(workspace, "test -x out/b.bin || echo plain; echo more >> out/b.bin"),
      "plain\n",
    );
  }),
  inWorkspace(
    "put/replaces",
    "put() replaces a file atomically: a reader that has opened the old file reads it to its end.",
    async (workspace) => {
      const old = "old ".repeat(500_000);
      await workspace.put([{ path: "work/a.txt", content: old }]);
      let bytes = 0;
      for await (const piece of await workspace.get("work/a.txt")) {
        if (bytes === 0) await workspace.put([{ path: "work/a.txt", content: "new" }]);
        bytes += piece.byteLength;
      }
      assert.equal(bytes, old.length);
      assert.equal(await contentOf(workspace, "work/a.txt"), "new");
    },
  ),
  inWorkspace(
    "put/hostile-paths",
    "put() refuses paths that leave the workspace or are not canonical.",
    (workspace) => refusesHostilePaths((path) => workspace.put([{ path, content: "x" }])),
  ),
  inWorkspace(
    "put/roots",
    "put() writes below work/, out/ and runs/ only; other paths fail with PATH_OUTSIDE.",
    async (workspace) => {
      for (const path of ["x", "skills/demo/x", "skills/x", "workx/y"])
        await failsWith(workspace.put([{ path, content: "x" }]), "PATH_OUTSIDE", path);
      assert.equal(await printed(workspace, "find . -type f | wc -l"), "0\n");
    },
  ),
  inWorkspace(
    "put/links",
    "put() never follows a symlink that a command made, and replaces a symlink that has the file's name.",
    async (workspace) => {
      await printed(
        workspace,
        "echo kept > out/target; ln -s ../out work/away; ln -s ../out/target work/name",
      );
      await failsWith(workspace.put([{ path: "work/away/x", content: "x" }]), "PATH_OUTSIDE");
      await workspace.put([{ path: "work/name", content: "own" }]);
      assert.equal(await contentOf(workspace, "work/name"), "own");
      assert.equal(await printed(workspace, "cat out/target; ls out"), "kept\ntarget\n");
    },
  ),
  inWorkspace("get/missing", "get() of a missing file fails with FILE_NOT_FOUND.", async (workspace) => {
    for (const path of ["work/none", "work/none/deeper", "out/x"])
      await failsWith(workspace.get(path), "FILE_NOT_FOUND", path);
  }),
  inWorkspace(
    "get/hostile-paths",
    "get() refuses paths that leave the workspace or are not canonical.",
    (workspace) => refusesHostilePaths((path) => workspace.get(path)),
  ),
  inWorkspace("get/links", "get() never follows a symlink, in any part of the path.", async (workspace) => {
    await printed(
      workspace,
      "echo in > out/a; ln -s /etc/passwd work/abs; ln -s ../out/a work/in; ln -s /etc work/dir; ln -s ../out work/o",
    );
    for (const path of ["work/abs", "work/in", "work/dir/passwd", "work/o/a"])
      await failsWith(workspace.get(path), "PATH_OUTSIDE", path);
  }),
  inWorkspace(
    "get/special",
    "get() refuses everything but regular files, and never blocks on a named pipe.",
    async (workspace) => {
      await printed(workspace, "mkfifo out/pipe; mkdir out/directory");
      for (const path of ["out/pipe", "out/directory"])
        await failsWith(workspace.get(path), "PATH_INVALID", path);
    },
  ),
  inWorkspace(
    "list/entries",
    "list() returns everything below a directory with kind and size, sorted by the bytes of the paths, without following symlinks.",
    async (workspace) => {
      await printed(
        workspace,
        "mkdir -p out/b/c; printf 12345 > out/b/c/file; ln -s /etc out/link; ln -s nowhere out/a; mkfifo out/pipe; : > out/B",
      );
      const entries = await workspace.list("out");
      assert.deepEqual(
        entries.map(({ path, kind }) => `${path} ${kind}`),
        [
          "out/B file",
          "out/a link",
          "out/b directory",
          "out/b/c directory",
          "out/b/c/file file",
          "out/link link",
          "out/pipe special",
        ],
      );
      const file = entries.find(({ path }) => path === "out/b/c/file");
      assert.equal(file?.size, 5);
      assert(Math.abs(Date.now() - (file?.modifiedMs ?? 0)) < 60_000, `modified at ${file?.modifiedMs}`);
      assert.deepEqual(await pathsOf(workspace, "out/b/c"), ["out/b/c/file"]);
    },
  ),
  inWorkspace(
    "list/everything",
    "list() without a path returns everything below work/, out/ and runs/.",
    async (workspace) => {
      await workspace.put(["work/x", "out/y", "runs/z"].map((path) => ({ path, content: path })));
      assert.deepEqual(await pathsOf(workspace), ["out/y", "runs/z", "work/inputs", "work/x"]);
    },
  ),
  inWorkspace(
    "list/marks",
    "The mark of a file changes when its content was written, and only then.",
    async (workspace) => {
      const marks = async () => new Map((await workspace.list("out")).map(({ path, mark }) => [path, mark]));
      await printed(workspace, "printf aaaa > out/changed; printf aaaa > out/kept");
      const before = await marks();
      await printed(workspace, "printf bbbb > out/changed; cat out/kept");
      const after = await marks();
      assert.notEqual(after.get("out/changed"), before.get("out/changed"));
      assert.equal(after.get("out/kept"), before.get("out/kept"));
    },
  ),
  inWorkspace(
    "list/hard-links",
    "list() returns how many names a regular file has, and which listed names are the same file.",
    async (workspace) => {
      await printed(
        workspace,
        "cd out; echo a > a; ln a a2; mkdir d; ln a d/a3; echo b > b; ln b b2; echo c > c",
      );
      const links = (await workspace.list("out")).map(({ path, hardLinks }) => [path, hardLinks] as const);
      const of = new Map(links);
      assert.deepEqual(
        links.map(([path, found]) => `${path} ${found?.count ?? "-"}`),
        ["out/a 3", "out/a2 3", "out/b 2", "out/b2 2", "out/c -", "out/d -", "out/d/a3 3"],
      );
      const [a, b] = [of.get("out/a")?.file, of.get("out/b")?.file];
      assert.deepEqual([of.get("out/a2")?.file, of.get("out/d/a3")?.file, of.get("out/b2")?.file], [a, a, b]);
      assert.notEqual(a, b);
    },
  ),
  inWorkspace(
    "list/odd-names",
    "list() returns a file name that no path may contain escaped, with the kind `special`, among the others.",
    async (workspace) => {
      await printed(workspace, String.raw`cd out; touch "$(printf 'bad\377')" "$(printf 'new\nline')" plain`);
      const entries = await workspace.list("out");
      assert.deepEqual(
        entries.map(({ path, kind }) => `${path} ${kind}`),
        [String.raw`out/bad\xff special`, String.raw`out/new\x0aline special`, "out/plain file"],
      );
    },
  ),
  inWorkspace(
    "list/refused",
    "list() refuses a missing directory, a file and a symlink.",
    async (workspace) => {
      await printed(workspace, ": > out/file; ln -s ../work out/link");
      await failsWith(workspace.list("out/none"), "FILE_NOT_FOUND");
      await failsWith(workspace.list("out/file"), "PATH_INVALID");
      await failsWith(workspace.list("out/link"), "PATH_OUTSIDE");
      await failsWith(workspace.list("etc"), "PATH_OUTSIDE");
    },
  ),
  endsWhenAborted("workspace-runtime/put/aborted", undefined, async ({ runtime }, signal) => {
    const workspace = await runtime.create("w1");
    await workspace.put([{ path: "work/x", content: "x" }], { signal });
  }),
];
