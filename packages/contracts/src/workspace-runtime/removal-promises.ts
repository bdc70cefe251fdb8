import assert from "node:assert/strict";
import type { RuntimeWorkspace } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import { contentOf, inWorkspace, pathsOf, printed, type RuntimePromise } from "./subject.js";

export const removalPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "remove/gone",
    "remove() removes files and whole directories, whatever their permissions, and returns true, then false.",
    async (workspace) => {
      const remove = removeOf(workspace);
      await printed(
        workspace,
        "mkdir -p out/a/b/c; echo x > out/a/b/c/file; mkfifo out/pipe; echo x > out/kept; chmod 0 out/a/b/c; chmod 500 out/a",
      );
      for (const path of ["out/a", "out/pipe"]) {
        assert.equal(await remove(path), true, path);
        assert.equal(await remove(path), false, path);
      }
      assert.equal(await remove("out/a/b/c/file"), false);
      assert.deepEqual(await pathsOf(workspace, "out"), ["out/kept"]);
    },
  ),
  inWorkspace(
    "remove/links",
    "remove() removes a symlink but not its target, and follows no symlink in the path.",
    async (workspace) => {
      const remove = removeOf(workspace);
      await printed(
        workspace,
        "mkdir out/target; echo kept > out/target/file; ln -s ../out/target work/away; mkdir work/d; ln -s ../../out/target work/d/in",
      );
      await failsWith(remove("work/away/file"), "PATH_OUTSIDE");
      assert.equal(await remove("work/away"), true);
      assert.equal(await remove("work/d"), true);
      assert.equal(await contentOf(workspace, "out/target/file"), "kept\n");
      assert.deepEqual(await pathsOf(workspace, "work"), ["work/inputs"]);
    },
  ),
  inWorkspace(
    "remove/refused",
    "remove() accepts canonical paths below work/, out/ and runs/ only.",
    async (workspace) => {
      const remove = removeOf(workspace);
      await workspace.put([{ path: "work/kept", content: "kept" }]);
      await refusesHostilePaths((path) => remove(path));
      for (const path of ["skills", "skills/demo", "etc/passwd", "elsewhere"])
        await failsWith(remove(path), "PATH_OUTSIDE", path);
      for (const path of ["work", "out", "runs"]) await failsWith(remove(path), "PATH_INVALID", path);
      assert.equal(await contentOf(workspace, "work/kept"), "kept");
    },
  ),
  endsWhenAborted("workspace-runtime/remove/aborted", undefined, async ({ runtime }, signal) => {
    await removeOf(await runtime.create("w1"))("work/x", { signal });
  }),
];

function removeOf({ remove }: RuntimeWorkspace): NonNullable<RuntimeWorkspace["remove"]> {
  return remove ?? assert.fail("The workspace has no `remove`: skip the promises about it by their ids.");
}
