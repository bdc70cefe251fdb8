import assert from "node:assert/strict";
import { type RuntimeWorkspace, Secret, type WorkspaceRuntime } from "@skillwright/core";
import type { RunCommand, RunHandle } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { command, contentOf, inWorkspace, type RuntimePromise, runText } from "./subject.js";

const COUNT = "echo started >> work/count";
const ONCE = "started\n";

/** Promises about runs with a key; a runtime without `runOf` keeps only the last one. */
export const keyedPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "keyed/once",
    "Of many starts with one key, in two runtimes at once, one runs its command, and all have its result.",
    async (workspace, subject) => {
      await claims(subject.runtime);
      const there = await attached(subject.other);
      const runs = Array.from({ length: 8 }, (_, index) =>
        runText(index % 2 === 0 ? workspace : there, `${COUNT}; sleep 0.2; echo ${index}; exit 4`, {
          key: "a",
        }),
      );
      const results = await inTime(Promise.all(runs), "The runs");
      assert.equal(await contentOf(workspace, "work/count"), ONCE);
      for (const result of results) assert.deepEqual(result, results[0]);
      assert.equal(results[0]?.exitCode, 4);
    },
  ),
  inWorkspace(
    "keyed/recorded",
    "The start of a key whose run has ended returns its recorded result, output included, and runs nothing.",
    async (workspace, subject) => {
      await claims(subject.runtime);
      const text = `${COUNT}; echo out; echo error >&2; exit 4`;
      const first = await runText(workspace, text, { key: "a" });
      const there = await attached(subject.other);
      assert.deepEqual(await runText(there, `${COUNT}; echo other`, { key: "a" }), first);
      assert.deepEqual(await (await runOf(there, "a")).result, first);
      assert.equal(await contentOf(workspace, "work/count"), ONCE);
      const { exitCode, stdout, stderr, treeEnded } = first;
      assert.deepEqual([exitCode, stdout.text, stderr.text, treeEnded], [4, "out\n", "error\n", true]);
    },
  ),
  inWorkspace(
    "keyed/live",
    "Another runtime reads the output of a live run from an offset, and can signal it.",
    async (workspace, subject) => {
      await claims(subject.runtime);
      const text = "trap 'echo caught; exit 5' TERM; echo ready; sleep 120 & wait";
      const handle = await workspace.start(command(text, { key: "a" }));
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
    "keyed/stop",
    "Another runtime ends a live run by an abort, and both report it.",
    async (workspace, subject) => {
      await claims(subject.runtime);
      const handle = await workspace.start(command("echo ready; sleep 120", { key: "a" }));
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
    "keyed/outlives",
    "A run with a key goes on when the runtime that started it is closed, whose handle fails with CLOSED.",
    async (workspace, { runtime, other }) => {
      await claims(runtime);
      const text = "echo ready; until [ -e work/go ]; do sleep 0.01; done; echo done; exit 6";
      const handle = await workspace.start(command(text, { key: "a" }));
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
    "keyed/stdin",
    "A run with a key gets the whole of a `stdin` that can be read once.",
    async (workspace, { runtime }) => {
      await claims(runtime);
      async function* once() {
        for (let piece = 0; piece < 100; piece++) yield new Uint8Array(10_000).fill(65);
      }
      const { stdout, diagnostics } = await runText(workspace, "wc -c", { key: "a", stdin: once() });
      assert.equal(stdout.text.trim(), "1000000");
      assert.deepEqual(
        diagnostics.filter(({ code }) => code.startsWith("run.")),
        [],
      );
    },
  ),
  inWorkspace(
    "keyed/output",
    "Of long output of a run with a key, the head and the tail are kept, and the rest is counted.",
    async (workspace, { runtime }) => {
      await claims(runtime);
      const text = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last";
      const { stdout } = await runText(workspace, text, { key: "a", maxOutputBytes: 10_000 });
      assert.deepEqual([stdout.totalBytes, stdout.truncated], [3_000_012, true]);
      assert.match(
        stdout.text,
        /^first\nx{4994}\n\[\.\.\. 2990012 bytes left out \.\.\.\]\nx{4994}\nlast\n$/,
      );
    },
  ),
  inWorkspace(
    "keyed/secrets",
    "The recorded output of a run with a key has no secret in it, however it is split.",
    async (workspace, subject) => {
      await claims(subject.runtime);
      const env = { TOKEN: new Secret("correct horse battery staple") };
      const text = 'echo "a $TOKEN b"; printf "%.9s" "$TOKEN"; sleep 0.05; echo "$TOKEN" | cut -c10-';
      await runText(workspace, text, { key: "a", env });
      const there = await runOf(await attached(subject.other), "a");
      assert.equal((await there.result).stdout.text, "a *** b\n***\n");
      assert.equal(await textUntil(there, 0, "***\n***\n"), "a *** b\n***\n");
    },
  ),
  inWorkspace(
    "keyed/of-one-workspace",
    "A key belongs to one workspace, and `runOf` returns `undefined` for one that was never started.",
    async (workspace, { runtime }) => {
      await claims(runtime);
      await runText(workspace, COUNT, { key: "a" });
      const second = await runtime.create("w2");
      const found = [await workspace.runOf?.("b"), await second.runOf?.("a")];
      assert.deepEqual(found, [undefined, undefined]);
      await runText(second, COUNT, { key: "a" });
      assert.equal(await contentOf(second, "work/count"), ONCE);
    },
  ),
  inWorkspace(
    "keyed/destroyed",
    "Destroying the workspace ends its runs with a key, and their record is gone.",
    async (workspace, { runtime, other }) => {
      await claims(runtime);
      const handle = await workspace.start(command("echo ready; sleep 120", { key: "a" }));
      await inTime(textUntil(handle, 0, "ready\n"), "The output");
      assert.equal(await other.destroy("w1"), true);
      const { exitCode, treeEnded } = await inTime(handle.result, "The run");
      assert.deepEqual([exitCode, treeEnded], [137, true]);
      assert.equal(await (await runtime.create("w1")).runOf?.("a"), undefined);
    },
  ),
  inWorkspace(
    "keyed/refused",
    "A key together with `interactive` or `endsWithHost`, and a key that is empty or too long, are refused.",
    async (workspace, { runtime }) => {
      await claims(runtime);
      const wrong: Partial<RunCommand>[] = [
        { key: "a", interactive: true },
        { key: "a", endsWithHost: true },
        { key: "" },
        { key: "a".repeat(1025) },
      ];
      for (const more of wrong) await failsWith(workspace.start(command("true", more)), "INPUT_INVALID");
    },
  ),
  inWorkspace(
    "keyed/unsupported",
    "Where no run outlives its host, a key is refused, and workspaces have no `runOf`.",
    async (workspace, { runtime }) => {
      assert(!(await runtime.capabilities()).keyedRuns, "keyedRuns is claimed");
      assert.equal(workspace.runOf, undefined);
      await failsWith(workspace.start(command("true", { key: "a" })), "UNSUPPORTED");
    },
  ),
];

async function claims(runtime: WorkspaceRuntime): Promise<void> {
  assert.equal((await runtime.capabilities()).keyedRuns, true, "keyedRuns is not claimed");
}

async function attached(other: WorkspaceRuntime): Promise<RuntimeWorkspace> {
  return (await other.attach("w1")) ?? assert.fail("The other runtime does not find the workspace.");
}

async function runOf(workspace: RuntimeWorkspace, key: string, signal?: AbortSignal): Promise<RunHandle> {
  return (await workspace.runOf?.(key, { signal })) ?? assert.fail("The run of the key was not found.");
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
