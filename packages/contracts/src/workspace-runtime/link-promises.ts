import assert from "node:assert/strict";
import type { RuntimeWorkspace } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import { contentOf, inWorkspace, printed, type RuntimePromise } from "./subject.js";

export const linkPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "link/made",
    "link() creates a symlink that commands can follow from any directory; its target may be created later.",
    async (workspace) => {
      const link = linkOf(workspace);
      await link("work/deep/er/to-file", "out/later.txt");
      await link("work/to-directory", "out");
      await workspace.put([{ path: "out/later.txt", content: "later\n" }]);
      const text = "cat er/to-file ../to-directory/later.txt; echo more >> er/to-file";
      assert.equal(await printed(workspace, text, { cwd: "work/deep" }), "later\nlater\n");
      assert.equal(await contentOf(workspace, "out/later.txt"), "later\nmore\n");
      const kinds = (await workspace.list("work")).map(({ path, kind }) => `${path} ${kind}`);
      assert(kinds.includes("work/deep/er/to-file link"), kinds.join(", "));
      assert(kinds.includes("work/to-directory link"), kinds.join(", "));
    },
  ),
  inWorkspace(
    "link/replaces",
    "link() replaces a file or symlink, but not the target of that symlink; a directory fails with PATH_INVALID.",
    async (workspace) => {
      const link = linkOf(workspace);
      await workspace.put(
        ["out/a", "out/b", "work/name", "work/directory/kept"].map((path) => ({ path, content: path })),
      );
      await link("work/name", "out/a");
      await link("work/name", "out/b");
      assert.equal(await printed(workspace, "cat work/name; cat out/a"), "out/bout/a");
      await failsWith(link("work/directory", "out/a"), "PATH_INVALID");
      assert.equal(await contentOf(workspace, "work/directory/kept"), "work/directory/kept");
    },
  ),
  inWorkspace(
    "link/hostile-paths",
    "link() refuses paths and targets that leave the workspace or are not canonical.",
    async (workspace) => {
      const link = linkOf(workspace);
      await refusesHostilePaths((path) => link(path, "work/x"));
      await refusesHostilePaths((to) => link("work/x", to));
      for (const path of ["x", "skills/demo/x", "etc/passwd"])
        await failsWith(link(path, "work/x"), "PATH_OUTSIDE", path);
      await failsWith(link("work/x", "etc/passwd"), "PATH_OUTSIDE");
      assert.equal(await printed(workspace, "find . -type l"), "");
    },
  ),
  inWorkspace("link/links", "link() never follows a symlink that a command made.", async (workspace) => {
    await printed(workspace, "ln -s ../out work/away; ln -s /tmp work/tmp");
    // A unique name, so that leftovers of another run do not affect this one.
    const name = `skillwright-link-${crypto.randomUUID()}`;
    for (const path of ["work/away/x", `work/tmp/${name}`])
      await failsWith(linkOf(workspace)(path, "work/a"), "PATH_OUTSIDE", path);
    assert.equal(await printed(workspace, `ls out; ls /tmp | grep ${name} || true`), "");
  }),
  endsWhenAborted("workspace-runtime/link/aborted", undefined, async ({ runtime }, signal) => {
    await linkOf(await runtime.create("w1"))("work/x", "out", { signal });
  }),
];

function linkOf({ link }: RuntimeWorkspace): NonNullable<RuntimeWorkspace["link"]> {
  return link ?? assert.fail("The workspace has no `link`: skip the promises about it by their ids.");
}
