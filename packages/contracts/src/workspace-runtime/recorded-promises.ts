import assert from "node:assert/strict";
import { type RuntimeWorkspace, Secret, type WorkspaceRuntime } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { command, contentOf, inWorkspace, type RuntimePromise, runText } from "./subject.js";

const COUNT = "echo started >> work/count";
const ONCE = "started\n";

/** Promises about runs that are kept, and about runs of which other processes know. */
export const recordedPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "recorded/once",
    "Of many starts with one id that are kept, in two runtimes at once, one runs its command, and all have its result.",
    async (workspace, subject) => {
      const there = await attached(subject.other);
      const runs = Array.from({ length: 8 }, (_, index) =>
        runText(index % 2 === 0 ? workspace : there, `${COUNT}; sleep 0.2; echo ${index}; exit 4`, {
          runId: "a",
          keep: true,
        }),
      );
      const results = await inTime(Promise.all(runs), "The runs");
      assert.equal(await contentOf(workspace, "work/count"), ONCE);
      for (const result of results) assert.deepEqual(result, results[0]);
      assert.equal(results[0]?.exitCode, 4);
    },
  ),
  inWorkspace(
    "recorded/recorded",
    "The start of an id whose run is kept and has ended returns its recorded result, output included, and runs nothing.",
    async (workspace, subject) => {
      const text = `${COUNT}; echo out; echo error >&2; exit 4`;
      const first = await runText(workspace, text, { runId: "a", keep: true });
      const there = await attached(subject.other);
      assert.deepEqual(await runText(there, `${COUNT}; echo other`, { runId: "a", keep: true }), first);
      assert.deepEqual(await (await runOf(there, "a")).result, first);
      assert.equal(await contentOf(workspace, "work/count"), ONCE);
      const { exitCode, stdout, stderr, treeEnded } = first;
      const { endsTree } = await subject.runtime.capabilities();
      assert.deepEqual([exitCode, stdout.text, stderr.text, treeEnded], [4, "out\n", "error\n", endsTree]);
    },
  ),
  inWorkspace(
    "recorded/live",
    "Another runtime reads the output of a live run from an offset, and can signal it.",
    async (workspace, subject) => {
      const text = "trap 'echo caught; exit 5' TERM; echo ready; sleep 120 & wait";
      const handle = await workspace.start(command(text, { runId: "a", keep: true }));
      const there = await runOf(await attached(subject.other), "a");
      assert.equal(there.runId, handle.runId);
      assert.equal(await inTime(textUntil(there, 2, "ady\n"), "The output"), "ady\n");
      await there.signal("SIGTERM");
      const result = await inTime(handle.result, "The run");
      assert.deepEqual([result.exitCode, result.stdout.text], [5, "ready\ncaught\n"]);
      assert.deepEqual(await inTime(there.result, "The run seen from the other runtime"), result);
    },
  ),
  inWorkspace(
    "recorded/stop",
    "Another runtime ends a live run by an abort, and both report it.",
    async (workspace, subject) => {
      const handle = await workspace.start(command("echo ready; sleep 120", { runId: "a", keep: true }));
      await inTime(textUntil(handle, 0, "ready\n"), "The output");
      const controller = new AbortController();
      const { signal } = controller;
      const there = await runOf(await attached(subject.other), "a", signal);
      controller.abort();
      for (const one of [handle, there]) {
        const { exitCode, aborted, treeEnded } = await inTime(one.result, "The run");
        assert.deepEqual([exitCode, aborted, treeEnded], [137, true, true]);
      }
    },
  ),
  inWorkspace(
    "recorded/outlives",
    "A run that is kept goes on when the runtime that started it is closed, whose handle fails with CLOSED.",
    async (workspace, { runtime, other }) => {
      const text = "echo ready; until [ -e work/go ]; do sleep 0.01; done; echo done; exit 6";
      const handle = await workspace.start(command(text, { runId: "a", keep: true }));
      await inTime(textUntil(handle, 0, "ready\n"), "The output");
      const there = await attached(other);
      await inTime(runtime.close(), "close");
      await failsWith(inTime(handle.result, "The run of the closed runtime"), "CLOSED");
      await there.put([{ path: "work/go", content: "" }]);
      const { exitCode, stdout } = await inTime((await runOf(there, "a")).result, "The run");
      assert.deepEqual([exitCode, stdout.text], [6, "ready\ndone\n"]);
    },
  ),
  inWorkspace(
    "recorded/stdin",
    "A run that is kept gets the whole of a `stdin` that can be read once.",
    async (workspace) => {
      async function* once() {
        for (let piece = 0; piece < 100; piece++) yield new Uint8Array(10_000).fill(65);
      }
      const { stdout, diagnostics } = await runText(workspace, "wc -c", {
        runId: "a",
        keep: true,
        stdin: once(),
      });
      assert.equal(stdout.text.trim(), "1000000");
      assert.deepEqual(
        diagnostics.filter(({ code }) => code === "run.stdin-failed"),
        [],
      );
    },
  ),
  inWorkspace(
    "recorded/output",
    "Of long output of a run that is kept, the head and the tail are kept, and the rest is counted.",
    async (workspace) => {
      const text = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last";
      const { stdout } = await runText(workspace, text, { runId: "a", keep: true, maxOutputBytes: 10_000 });
      assert.deepEqual([stdout.totalBytes, stdout.truncated], [3_000_012, true]);
      assert.match(
        stdout.text,
        /^first\nx{4994}\n\[\.\.\. 2990012 bytes left out \.\.\.\]\nx{4994}\nlast\n$/,
      );
    },
  ),
  inWorkspace(
    "recorded/secrets",
    "The recorded output of a run has no secret in it, however it is split.",
    async (workspace, subject) => {
      const env = { TOKEN: new Secret("correct horse battery staple") };
      const text = 'echo "a $TOKEN b"; printf "%.9s" "$TOKEN"; sleep 0.05; echo "$TOKEN" | cut -c10-';
      await runText(workspace, text, { runId: "a", keep: true, env });
      const there = await runOf(await attached(subject.other), "a");
      assert.equal((await there.result).stdout.text, "a *** b\n***\n");
      assert.equal(await textUntil(there, 0, "***\n***\n"), "a *** b\n***\n");
    },
  ),
  inWorkspace(
    "recorded/of-one-workspace",
    "An id belongs to one workspace, and `runOf` returns `undefined` for one that was never started.",
    async (workspace, { runtime }) => {
      await runText(workspace, COUNT, { runId: "a", keep: true });
      const second = await runtime.create("w2");
      const found = [await workspace.runOf("b"), await second.runOf("a")];
      assert.deepEqual(found, [undefined, undefined]);
      await runText(second, COUNT, { runId: "a", keep: true });
      assert.equal(await contentOf(second, "work/count"), ONCE);
    },
  ),
  inWorkspace(
    "recorded/destroyed",
    "Destroying the workspace ends its runs that are kept, and their record is gone.",
    async (workspace, { runtime, other }) => {
      const handle = await workspace.start(command("echo ready; sleep 120", { runId: "a", keep: true }));
      await inTime(textUntil(handle, 0, "ready\n"), "The output");
      assert.equal(await other.destroy("w1"), true);
      const { exitCode, treeEnded } = await inTime(handle.result, "The run");
      assert.deepEqual([exitCode, treeEnded], [137, (await runtime.capabilities()).endsTree]);
      assert.equal(await (await runtime.create("w1")).runOf("a"), undefined);
    },
  ),
  inWorkspace(
    "recorded/refused",
    "`keep` together with `interactive` or `endsWithHost` is refused.",
    async (workspace) => {
      for (const more of [{ interactive: true }, { endsWithHost: true }])
        await failsWith(workspace.start(command("true", { keep: true, ...more })), "INPUT_INVALID");
    },
  ),
  inWorkspace(
    "recorded/found",
    "Another runtime finds a run that nobody keeps while it is in progress, and no longer when its result was taken.",
    async (workspace, { other }) => {
      const text = "echo ready; until [ -e work/go ]; do sleep 0.01; done; exit 3";
      const handle = await workspace.start(command(text, { runId: "a" }));
      await inTime(textUntil(handle, 0, "ready\n"), "The output");
      const there = await attached(other);
      const found = await runOf(there, "a");
      await there.put([{ path: "work/go", content: "" }]);
      assert.equal((await inTime(handle.result, "The run")).exitCode, 3);
      assert.equal(await there.runOf("a"), undefined);
      assert.equal(await workspace.runOf("a"), undefined);
      await inTime(found.result, "The run seen from the other runtime");
    },
  ),
  inWorkspace(
    "recorded/one-at-a-time",
    "The id of a run in progress is a CONFLICT in another runtime too, and free when its result was taken; that of a run that is kept is one for good.",
    async (workspace, { other }) => {
      const there = await attached(other);
      const text = "until [ -e work/go ]; do sleep 0.01; done";
      const handle = await workspace.start(command(text, { runId: "a" }));
      for (const keep of [false, true])
        await failsWith(there.start(command(COUNT, { runId: "a", keep })), "CONFLICT");
      await workspace.put([{ path: "work/go", content: "" }]);
      await inTime(handle.result, "The run");
      await runText(there, COUNT, { runId: "a" });
      await runText(workspace, "true", { runId: "b", keep: true });
      await failsWith(workspace.start(command(COUNT, { runId: "b" })), "CONFLICT");
      assert.equal(await contentOf(workspace, "work/count"), ONCE);
    },
  ),
];

async function attached(other: WorkspaceRuntime): Promise<RuntimeWorkspace> {
  return (await other.attach("w1")) ?? assert.fail("The other runtime does not find the workspace.");
}

async function runOf(workspace: RuntimeWorkspace, runId: string, signal?: AbortSignal): Promise<RunHandle> {
  return (await workspace.runOf(runId, { signal })) ?? assert.fail("The run was not found.");
}

/** The output from an offset until it ends with the text, or the run is over. */
async function textUntil(handle: RunHandle, from: number, end: string): Promise<string> {
  let text = "";
  for await (const { bytes } of handle.output({ from })) {
    text += Buffer.from(bytes).toString("utf8");
    if (text.endsWith(end)) break;
  }
  return text;
}
