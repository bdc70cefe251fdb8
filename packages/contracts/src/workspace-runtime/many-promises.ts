import assert from "node:assert/strict";
import type { RuntimeWorkspace } from "@skillwright/core";
import { readText } from "@skillwright/core";
import type { RequestedFile } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { contentOf, inWorkspace, printed, type RuntimePromise } from "./subject.js";

type GetMany = NonNullable<RuntimeWorkspace["getMany"]>;

const MORE_THAN_A_PIPE = "0123456789abcdef".repeat(16 * 1024);

export const manyPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "get-many/order",
    "getMany() returns every file with its bytes, in the order of the given paths, from all directories.",
    async (workspace) => {
      const wanted = new Map([
        ["work/z", "z"],
        ["out/a/b", "below"],
        ["out/a.txt", "beside"],
        ["out/empty", ""],
        ["runs/é €/x", "named"],
        ["out/large", MORE_THAN_A_PIPE],
        ["out/b", "b"],
      ]);
      await workspace.put([...wanted].map(([path, content]) => ({ path, content })));
      await workspace.put(["out/unasked", "work/a/unasked"].map((path) => ({ path, content: "unasked" })));
      assert.deepEqual(await texts(workspace, wanted.keys()), [...wanted]);
      assert.deepEqual(await texts(workspace, ["out/b", "out/b"]), [
        ["out/b", "b"],
        ["out/b", "b"],
      ]);
      assert.deepEqual(await texts(workspace, []), []);
    },
  ),
  inWorkspace(
    "get-many/refused",
    "getMany() returns the error of get() for a refused path, and the bytes for the others.",
    async (workspace) => {
      await printed(
        workspace,
        "cd out; echo a > a; echo z > z; ln -s /etc/passwd link; ln -s ../work dir; echo w > ../work/w; mkfifo pipe; mkdir d",
      );
      const refused = {
        "out/none": "FILE_NOT_FOUND",
        "out/none/deeper": "FILE_NOT_FOUND",
        "out/link": "PATH_OUTSIDE",
        "out/dir/w": "PATH_OUTSIDE",
        "out/pipe": "PATH_INVALID",
        "out/d": "PATH_INVALID",
        "out/../x": "PATH_OUTSIDE",
        "/etc/passwd": "PATH_OUTSIDE",
        "elsewhere/x": "PATH_OUTSIDE",
        "out//a": "PATH_INVALID",
      };
      const found = await texts(workspace, ["out/a", ...Object.keys(refused), "out/z"]);
      assert.deepEqual(found, [["out/a", "a\n"], ...Object.entries(refused), ["out/z", "z\n"]]);
    },
  ),
  inWorkspace(
    "get-many/same-file",
    "getMany() returns the bytes of a file under each of its names.",
    async (workspace) => {
      await printed(workspace, "cd out; echo one > a; ln a b; mkdir d; ln a d/c");
      const expected = ["out/b", "out/d/c", "out/a"].map((path) => [path, "one\n"]);
      assert.deepEqual(await texts(workspace, ["out/b", "out/d/c", "out/a"]), expected);
    },
  ),
  inWorkspace(
    "get-many/unread",
    "getMany() skips the unread rest of a file and returns the next one completely.",
    async (workspace) => {
      const paths = ["out/a", "out/b", "out/c", "out/d"];
      await workspace.put(paths.map((path) => ({ path, content: `${path} ${MORE_THAN_A_PIPE}` })));
      const read: string[] = [];
      for await (const file of getManyOf(workspace)(paths)) {
        if (file.path === "out/a") continue;
        if (file.path !== "out/b") read.push(await readText(contentIn(file), 1024 * 1024));
        else for await (const piece of contentIn(file)) if (piece.byteLength > 0) break;
      }
      assert.deepEqual(read, [`out/c ${MORE_THAN_A_PIPE}`, `out/d ${MORE_THAN_A_PIPE}`]);
    },
  ),
  inWorkspace(
    "get-many/left",
    "A caller that stops reading getMany() early does not block later calls.",
    async (workspace) => {
      const paths = ["out/a", "out/b"];
      await workspace.put(paths.map((path) => ({ path, content: path + MORE_THAN_A_PIPE })));
      const leave = async (): Promise<void> => {
        for await (const file of getManyOf(workspace)(paths)) {
          for await (const piece of contentIn(file)) if (piece.byteLength > 0) break;
          return;
        }
      };
      await inTime(leave(), "leaving");
      assert.equal(await contentOf(workspace, "out/b"), `out/b${MORE_THAN_A_PIPE}`);
      assert.equal(await printed(workspace, "rm out/a; ls out"), "b\n");
    },
  ),
  inWorkspace(
    "get-many/destroyed",
    "getMany() fails with WORKSPACE_NOT_FOUND after destroy().",
    async (workspace, { other }) => {
      await workspace.put([{ path: "work/x", content: "x" }]);
      await other.destroy("w1");
      await failsWith(texts(workspace, ["work/x", "work/y"]), "WORKSPACE_NOT_FOUND");
    },
  ),
  endsWhenAborted("workspace-runtime/get-many/aborted", undefined, async ({ runtime }, signal) => {
    const workspace = await runtime.create("w1");
    await workspace.put([{ path: "work/x", content: "x" }]);
    for await (const file of getManyOf(workspace)(["work/x", "work/y"], { signal })) contentIn(file);
  }),
];

/** Path and text of each file, or the code of the error. */
async function texts(
  workspace: RuntimeWorkspace,
  paths: Iterable<string>,
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const file of getManyOf(workspace)(paths)) {
    const { path } = file;
    found.push([path, "error" in file ? file.error.code : await readText(file.content, 1024 * 1024)]);
  }
  return found;
}

function contentIn(file: RequestedFile): AsyncIterable<Uint8Array> {
  if ("error" in file) throw file.error;
  return file.content;
}

function getManyOf({ getMany }: RuntimeWorkspace): GetMany {
  return getMany ?? assert.fail("The workspace has no `getMany`: skip the promises about it by their ids.");
}
