import assert from "node:assert/strict";
import { failsWith } from "../fails-with.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import { demoSkill } from "./staging-promises.js";
import {
  command,
  contentOf,
  inWorkspace,
  pathsOf,
  printed,
  type RuntimePromise,
  runText,
} from "./subject.js";

export const runningPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "capabilities/result",
    "capabilities() returns the same value each time, and each result names the same isolation.",
    async (workspace, { runtime }) => {
      const capabilities = await runtime.capabilities();
      assert.deepEqual(await runtime.capabilities(), capabilities);
      const { isolation } = await runText(workspace, "true");
      assert.deepEqual(isolation, capabilities.isolation);
      assert(isolation.by.length > 0, "`isolation.by` is empty");
    },
  ),
  inWorkspace(
    "start/result",
    "The result contains both streams, the exit code and the run id.",
    async (workspace) => {
      const text = "echo to stdout; echo to stderr >&2; sleep 0.1; exit 3";
      const started = performance.now();
      const result = await runText(workspace, text, { runId: "my-run" });
      const mostMs = performance.now() - started + 1;
      const { runId, exitCode, stdout, stderr, timedOut, aborted, durationMs } = result;
      assert.deepEqual(
        { runId, exitCode, timedOut, aborted },
        { runId: "my-run", exitCode: 3, timedOut: false, aborted: false },
      );
      assert.deepEqual(stdout, { text: "to stdout\n", totalBytes: 10, truncated: false });
      assert.deepEqual(stderr, { text: "to stderr\n", totalBytes: 10, truncated: false });
      assert(durationMs > 0 && durationMs <= mostMs, `it took ${durationMs} of ${mostMs} ms`);
    },
  ),
  inWorkspace(
    "start/exit-codes",
    "Exit codes follow the shell: 127 for an unknown program, 128 + n for signal n.",
    async (workspace) => {
      const codes = {
        true: 0,
        "exit 255": 255,
        "no-such-program": 127,
        "kill -TERM $$": 143,
        "kill -KILL $$": 137,
      };
      for (const [text, code] of Object.entries(codes))
        assert.equal((await runText(workspace, text)).exitCode, code, text);
    },
  ),
  inWorkspace(
    "start/command",
    "The command reaches the shell unchanged, whatever characters it contains.",
    async (workspace) => {
      const text = `printf '%s\\n' "a  b" 'c"d' \\$HOME '$(x)' "é\t\\\\"\nprintf done # comment`;
      assert.equal(await printed(workspace, text), 'a  b\nc"d\n$HOME\n$(x)\né\t\\\ndone');
      await failsWith(workspace.start(command("echo a\0b")), "INPUT_INVALID");
    },
  ),
  inWorkspace(
    "start/no-startup-files",
    "The shell does not read startup files that an earlier command left in HOME (ENV-08).",
    async (workspace) => {
      const files = [".bashrc", ".bash_profile", ".profile", ".bash_login"].map((name) => `work/${name}`);
      await workspace.put(files.map((path) => ({ path, content: "echo STARTED\n" })));
      assert.equal(await printed(workspace, "echo hi"), "hi\n");
      assert.equal(await printed(workspace, "cat", { stdin: "by stdin\n" }), "by stdin\n");
    },
  ),
  inWorkspace(
    "start/cwd",
    "A command starts in its `cwd`, also through the symlinks of a skill.",
    async (workspace) => {
      await workspace.stage(demoSkill());
      await workspace.put([{ path: "out/sub/x", content: "" }]);
      const at = async (cwd: string) =>
        (await printed(workspace, "pwd -P", { cwd })).trim().slice(workspace.root.length);
      assert.equal(await at("."), "");
      assert.equal(await at("work/inputs"), "/work/inputs");
      assert.equal(await at("skills/demo/scripts"), "/skills/demo/scripts");
      assert.equal(await at("skills/demo/out/sub"), "/out/sub");
    },
  ),
  inWorkspace(
    "start/cwd-refused",
    "A `cwd` that is missing, a file, or outside the workspace is refused before anything runs.",
    async (workspace) => {
      await printed(
        workspace,
        "ln -s /etc work/etc; ln -s ../../.. work/up; ln -s loop work/loop; touch work/file",
      );
      const start = (cwd: string) => workspace.start(command("touch $HOME/ran", { cwd }));
      await failsWith(start("work/none"), "FILE_NOT_FOUND");
      await failsWith(start("skills/none"), "FILE_NOT_FOUND");
      await failsWith(start("work/file"), "PATH_INVALID");
      for (const cwd of ["work/etc", "work/up", "work/loop"])
        await failsWith(start(cwd), "PATH_OUTSIDE", cwd);
      assert(!(await pathsOf(workspace)).includes("work/ran"));
    },
  ),
  inWorkspace(
    "start/cwd-hostile",
    "A `cwd` that leaves the workspace or is not canonical is refused.",
    async (workspace) => {
      // For `cwd`, "." is the root itself and is allowed.
      await refusesHostilePaths((path) =>
        workspace.start(command("true", { cwd: path === "." ? "./" : path })),
      );
    },
  ),
  inWorkspace("start/run-directory", "Each run has its own directory below runs/.", async (workspace) => {
    await printed(workspace, "echo note > runs/first/a", { runId: "first" });
    await printed(workspace, "test ! -e runs/second/a && echo note > runs/second/b", { runId: "second" });
    assert.deepEqual(await pathsOf(workspace, "runs"), [
      "runs/first",
      "runs/first/a",
      "runs/second",
      "runs/second/b",
    ]);
    for (const runId of ["", "..", "a/b", "a\0"])
      await failsWith(workspace.start(command("true", { runId })), "INPUT_INVALID", JSON.stringify(runId));
  }),
  inWorkspace(
    "start/same-run",
    "A run id in use fails with CONFLICT, and can be used again after that run.",
    async (workspace) => {
      const first = await workspace.start(command("sleep 120", { runId: "same" }));
      await failsWith(workspace.start(command("true", { runId: "same" })), "CONFLICT");
      await first.signal("SIGKILL");
      await first.result;
      await printed(workspace, "true", { runId: "same" });
    },
  ),
  inWorkspace(
    "start/refused",
    "A timeout or output limit that is not a valid number is refused.",
    async (workspace) => {
      for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
        await failsWith(workspace.start(command("true", { timeoutMs })), "INPUT_INVALID", `${timeoutMs} ms`);
      for (const maxOutputBytes of [-1, Number.NaN, 1.5])
        await failsWith(
          workspace.start(command("true", { maxOutputBytes })),
          "INPUT_INVALID",
          `${maxOutputBytes}`,
        );
    },
  ),
  endsWhenAborted("workspace-runtime/start/aborted-before", undefined, async ({ runtime }, signal) => {
    const workspace = await runtime.create("w1");
    await workspace.start(command("true"), { signal });
  }),
  inWorkspace("start/together", "Concurrent runs do not affect each other (CONC-01).", async (workspace) => {
    const slow = runText(workspace, "sleep 1; echo slow > out/slow; echo ok");
    const late = runText(workspace, "sleep 120", { timeoutMs: 300 });
    const quick = runText(workspace, "echo quick");
    assert.deepEqual([(await quick).stdout.text, (await late).timedOut], ["quick\n", true]);
    assert.equal((await slow).stdout.text, "ok\n");
    assert.equal(await contentOf(workspace, "out/slow"), "slow\n");
  }),
];
