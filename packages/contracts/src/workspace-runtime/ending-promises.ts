import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { RuntimeWorkspace } from "@skillwright/core";
import { inTime } from "../in-time.js";
import { command, inWorkspace, type RuntimePromise, type RuntimeSubject, runText } from "./subject.js";

const BEAT = 'while :; do echo x >> "$HOME/beat"; sleep 0.02; done';

/**
 * Six ways in which processes try to outlive their run. Each appends a beat to a file for as
 * long as it lives.
 */
const SHAPES: Readonly<Record<string, string>> = {
  plain: BEAT,
  background: `(${BEAT}) & sleep 120`,
  "own session": `setsid bash -c '${BEAT}' & sleep 120`,
  "double fork": `(nohup setsid bash -c '${BEAT}' >/dev/null 2>&1 &); sleep 120`,
  "signals ignored": `trap '' TERM INT HUP QUIT PIPE; ${BEAT}`,
  "starts itself again": `cat > "$HOME/again" <<'EOF'
echo x >> "$HOME/beat"; sleep 0.02; setsid bash "$HOME/again" & exit
EOF
bash "$HOME/again"; sleep 120`,
};

export const endingPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "end/timeout",
    "A run that reaches its timeout ends with exit code 137 and the output so far.",
    async (workspace) => {
      const { exitCode, timedOut, aborted, stdout, durationMs } = await inTime(
        runText(workspace, "echo before; sleep 120; echo after", { timeoutMs: 500 }),
        "The run",
      );
      assert.deepEqual(
        { exitCode, timedOut, aborted, text: stdout.text },
        { exitCode: 137, timedOut: true, aborted: false, text: "before\n" },
      );
      assert(durationMs >= 500, `it ended after ${durationMs} ms`);
    },
  ),
  inWorkspace(
    "end/abort",
    "An aborted run ends with exit code 137 and the output so far.",
    async (workspace) => {
      const controller = new AbortController();
      const running = runText(
        workspace,
        "echo before; sleep 120",
        {},
        {
          signal: controller.signal,
          onOutput: () => controller.abort(),
        },
      );
      const { exitCode, timedOut, aborted, stdout } = await inTime(running, "The run");
      assert.deepEqual(
        { exitCode, timedOut, aborted, text: stdout.text },
        { exitCode: 137, timedOut: false, aborted: true, text: "before\n" },
      );
    },
  ),
  inWorkspace(
    "end/signal-let-go",
    "A run that has ended leaves no listener on its AbortSignal.",
    async (workspace) => {
      const { signal } = new AbortController();
      for (const text of ["true", "exit 3"]) await runText(workspace, text, {}, { signal });
      assert.equal(getEventListeners(signal, "abort").length, 0);
    },
  ),
  inWorkspace(
    "end/stopped",
    "A command that stops itself with SIGSTOP is ended by the timeout (PROC-04).",
    async (workspace) => {
      const { timedOut } = await inTime(
        runText(workspace, "kill -STOP $$; echo never", { timeoutMs: 300 }),
        "The run",
      );
      assert.equal(timedOut, true);
    },
  ),
  inWorkspace(
    "end/signal",
    "signal() delivers SIGTERM to the command, SIGKILL ends it, and signals after the end have no effect.",
    async (workspace) => {
      const text = "trap 'echo caught; exit 5' TERM; echo ready; sleep 120 & wait";
      const polite = await workspace.start(command(text));
      for await (const _ of polite.output()) break;
      await polite.signal("SIGTERM");
      const { exitCode, stdout } = await inTime(polite.result, "The run");
      assert.deepEqual([exitCode, stdout.text], [5, "ready\ncaught\n"]);
      const stubborn = await workspace.start(command("trap '' TERM; echo ready; while :; do sleep 1; done"));
      for await (const _ of stubborn.output()) break;
      await stubborn.signal("SIGTERM");
      await stubborn.signal("SIGKILL");
      const { exitCode: killed, timedOut, aborted } = await inTime(stubborn.result, "The run");
      assert.deepEqual([killed, timedOut, aborted], [137, false, false]);
      await stubborn.signal("SIGKILL");
      await stubborn.signal("SIGTERM");
    },
  ),
  inWorkspace(
    "end/pipes",
    "A background process that keeps the pipes open does not delay the result (PROC-01).",
    async (workspace) => {
      const result = await inTime(runText(workspace, "echo done; setsid sleep 120 & exit 0"), "The run");
      assert.deepEqual([result.exitCode, result.timedOut, result.stdout.text], [0, false, "done\n"]);
    },
  ),
  {
    id: "workspace-runtime/end/timeout-ends-tree",
    promise: "The timeout ends every process of the run, in all six shapes (PROC-03).",
    seed: undefined,
    run: async (subject) => {
      await forEachShape(subject, async (workspace, shape, text) => {
        // A busy machine may need longer to start the processes of a shape.
        for (let timeoutMs = 500; timeoutMs < 60_000; timeoutMs *= 4) {
          const result = await inTime(runText(workspace, text, { timeoutMs }), `The run (${shape})`);
          assert.deepEqual([result.timedOut, result.treeEnded], [true, true], shape);
          if ((await beats(workspace)) > 0) return;
        }
      });
    },
  },
  {
    id: "workspace-runtime/end/success-ends-tree",
    promise: "The end of the command ends every process it started, in all six shapes (PROC-02).",
    seed: undefined,
    run: async (subject) => {
      await forEachShape(subject, async (workspace, shape, text) => {
        const begun = 'until [ -s "$HOME/beat" ]; do sleep 0.05; done';
        const leaves = `(${text}) >/dev/null 2>&1 & ${begun}; echo left`;
        const result = await inTime(runText(workspace, leaves), `The run (${shape})`);
        assert.deepEqual([result.exitCode, result.treeEnded, result.stdout.text], [0, true, "left\n"], shape);
      });
    },
  },
  {
    id: "workspace-runtime/end/abort-ends-tree",
    promise: "Aborting ends every process of the run, in all six shapes.",
    seed: undefined,
    run: async (subject) => {
      await forEachShape(subject, async (workspace, shape, text) => {
        const controller = new AbortController();
        const running = runText(workspace, text, {}, { signal: controller.signal });
        await Promise.race([firstBeat(workspace), running]);
        controller.abort();
        const result = await inTime(running, `The run (${shape})`);
        assert.deepEqual([result.aborted, result.treeEnded], [true, true], shape);
      });
    },
  },
];

/** Starts each shape in its own workspace, all at once, and then checks whether any of its processes is alive. */
async function forEachShape(
  { runtime }: RuntimeSubject,
  check: (workspace: RuntimeWorkspace, shape: string, text: string) => Promise<void>,
): Promise<void> {
  assert((await runtime.capabilities()).endsTree, "endsTree is not claimed");
  const checks = Object.entries(SHAPES).map(async ([shape, text], index) => {
    const workspace = await runtime.create(`w${index}`);
    await check(workspace, shape, text);
    await assertNoBeat(workspace, shape);
  });
  await Promise.all(checks);
}

/** Resolves when the first process of a shape has started to beat. */
async function firstBeat(workspace: RuntimeWorkspace): Promise<void> {
  while ((await beats(workspace)) === 0) await setTimeout(20);
}

async function beats(workspace: RuntimeWorkspace): Promise<number> {
  return (await workspace.list("work")).find(({ path }) => path === "work/beat")?.size ?? 0;
}

/** Asserts that no beat is added for twenty beat intervals after the end of the run. */
async function assertNoBeat(workspace: RuntimeWorkspace, shape: string): Promise<void> {
  const atEnd = await beats(workspace);
  assert(atEnd > 0, `${shape}: its processes never started`);
  await setTimeout(400);
  assert.equal(await beats(workspace), atEnd, `${shape}: a process of the run is still alive`);
}
