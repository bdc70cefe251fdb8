import assert from "node:assert/strict";
import { WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { command, contentOf, inWorkspace, pathsOf, printed, type RuntimePromise } from "./subject.js";

const BAD_IDS = ["", ".", "..", "a/b", "a b", "a.b", "../w", "é", "x".repeat(65)];

export const lifecyclePromises: readonly RuntimePromise[] = [
  inWorkspace(
    "create/layout",
    "A new workspace has the directories of the layout and contains no files.",
    async (workspace) => {
      const { skills, work, inputs, out, runs } = WORKSPACE_LAYOUT;
      const all = [skills, work, inputs, out, runs].map((path) => `test -d ${path}`).join(" && ");
      assert.equal(await printed(workspace, `${all} && ls skills out`), "out:\n\nskills:\n");
      assert.deepEqual(await pathsOf(workspace, work), [inputs]);
      assert.deepEqual(await pathsOf(workspace, out), []);
    },
  ),
  inWorkspace(
    "create/taken",
    "create() with an existing id fails with CONFLICT, and the existing workspace stays.",
    async (workspace, { runtime, other }) => {
      await workspace.put([{ path: "work/kept.txt", content: "kept" }]);
      await failsWith(runtime.create("w1"), "CONFLICT");
      await failsWith(other.create("w1"), "CONFLICT");
      assert.equal(await contentOf(workspace, "work/kept.txt"), "kept");
    },
  ),
  {
    id: "workspace-runtime/create/at-once",
    promise:
      "Exactly one of several concurrent create() calls with the same id succeeds, and the others fail with CONFLICT.",
    seed: undefined,
    run: async ({ runtime, other }) => {
      const created = await Promise.allSettled(
        [runtime, other, runtime, other, runtime].map((subject) => subject.create("same")),
      );
      const codes = created.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
      assert.deepEqual(codes, Array(4).fill("CONFLICT"));
    },
  },
  {
    id: "workspace-runtime/create/bad-id",
    promise:
      "create() refuses an id that is not 1 to 64 letters, digits, - or _; attach() and destroy() treat it as unknown.",
    seed: undefined,
    run: async ({ runtime }) => {
      for (const id of BAD_IDS) {
        await failsWith(runtime.create(id), "INPUT_INVALID", JSON.stringify(id));
        assert.equal(await runtime.attach(id), undefined);
        assert.equal(await runtime.destroy(id), false);
      }
      await runtime.create("A-z_0".padEnd(64, "9"));
    },
  },
  endsWhenAborted("workspace-runtime/create/aborted", undefined, ({ runtime }, signal) =>
    runtime.create("w1", { signal }),
  ),
  inWorkspace(
    "attach/elsewhere",
    "Another runtime on the same storage attaches by id and sees the same files.",
    async (workspace, { other }) => {
      await workspace.put([{ path: "work/a.txt", content: "from one" }]);
      const attached = await other.attach("w1");
      assert(attached);
      assert.equal(await contentOf(attached, "work/a.txt"), "from one");
      await printed(attached, "echo from two > out/b.txt");
      assert.equal(await contentOf(workspace, "out/b.txt"), "from two\n");
    },
  ),
  {
    id: "workspace-runtime/attach/missing",
    promise: "attach() returns undefined for an unknown id.",
    seed: undefined,
    run: async ({ runtime }) => assert.equal(await runtime.attach("nobody"), undefined),
  },
  inWorkspace(
    "destroy/once",
    "destroy() returns true to one of several concurrent callers; the id can then be used again.",
    async (workspace, { runtime, other }) => {
      await workspace.put([{ path: "work/old.txt", content: "old" }]);
      const [one, two] = await Promise.all([runtime.destroy("w1"), other.destroy("w1")]);
      assert.deepEqual([one, two].sort(), [false, true]);
      assert.equal(await runtime.destroy("w1"), false);
      assert.deepEqual([await runtime.attach("w1"), await runtime.list()], [undefined, []]);
      assert.deepEqual(await pathsOf(await runtime.create("w1"), "work"), ["work/inputs"]);
    },
  ),
  inWorkspace(
    "destroy/not-found",
    "After destroy(), every method of the workspace fails with WORKSPACE_NOT_FOUND.",
    async (workspace, { other }) => {
      assert.equal(await other.destroy("w1"), true);
      const skill = { name: "s", digest: "sha256:0", files: async function* () {} };
      const calls = {
        stage: () => workspace.stage(skill),
        unstage: () => workspace.unstage("s"),
        staged: () => workspace.staged(),
        start: () => workspace.start(command("true")),
        put: () => workspace.put([{ path: "work/x", content: "" }]),
        get: () => workspace.get("work/x"),
        list: () => workspace.list(),
        ...(workspace.link && {
          link: () => workspace.link?.("work/x", "out") ?? assert.fail("It is gone."),
        }),
        ...(workspace.remove && { remove: () => workspace.remove?.("work/x") ?? assert.fail("It is gone.") }),
      };
      for (const [name, call] of Object.entries(calls)) await failsWith(call(), "WORKSPACE_NOT_FOUND", name);
    },
  ),
  inWorkspace(
    "destroy/ends-runs",
    "destroy() ends the runs in progress, also those that another runtime started.",
    async (workspace, { runtime, other }) => {
      const attached = await other.attach("w1");
      assert(attached);
      const runs = [await workspace.start(command("sleep 120")), await attached.start(command("sleep 120"))];
      assert.equal(await inTime(runtime.destroy("w1"), "destroy"), true);
      for (const { result } of runs) assert.equal((await inTime(result, "The run")).exitCode, 137);
    },
  ),
  inWorkspace(
    "destroy/hostile-tree",
    "destroy() removes directories without permissions and paths longer than PATH_MAX.",
    async (workspace, { runtime }) => {
      const deep = "n=$(printf %0200d 0); for i in $(seq 30); do mkdir $n && cd $n || exit 1; done";
      await printed(
        workspace,
        `mkdir -p work/a/b && touch work/a/b/c && chmod 000 work/a; cd out && ${deep}`,
      );
      assert.equal(await runtime.destroy("w1"), true);
      assert.deepEqual(await runtime.list(), []);
    },
  ),
  {
    id: "workspace-runtime/list/sorted",
    promise: "list() returns all ids, sorted.",
    seed: undefined,
    run: async ({ runtime, other }) => {
      for (const id of ["b", "a", "C", "a-1"]) await runtime.create(id);
      assert.deepEqual(await other.list(), ["C", "a", "a-1", "b"]);
    },
  },
  closesTwice("workspace-runtime/close/twice", undefined, ({ other }) => other),
  inWorkspace(
    "close/ends-runs",
    "close() ends the runs that this runtime started, refuses new calls and keeps the workspaces.",
    async (workspace, { runtime, other }) => {
      const { result } = await workspace.start(command("sleep 120"));
      await inTime(runtime.close(), "close");
      assert.equal((await inTime(result, "The run")).exitCode, 137);
      await failsWith(workspace.start(command("true")), "CLOSED");
      assert.deepEqual(await other.list(), ["w1"]);
    },
  ),
];
