import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { findProgram } from "../src/host/find-program.js";
import { unsupervisedSubject } from "./local-subject.js";
import { markedSleep, processesWith, runText } from "./running.js";

const prlimit = await findProgram("prlimit");

describe("where no supervisor runs", () => {
  let subject: Awaited<ReturnType<typeof unsupervisedSubject>>;
  let workspace: RuntimeWorkspace;

  beforeEach(async () => {
    subject = await unsupervisedSubject("none");
    workspace = await subject.runtime.create("w1");
  });

  afterEach(() => subject.dispose());

  test("the capabilities report the missing supervisor with the restrictions", async () => {
    const { endsTree, limits, diagnostics } = await subject.runtime.capabilities();
    expect(endsTree).toBe(false);
    expect(limits).not.toContain("memoryBytes");
    expect(diagnostics?.filter(({ code }) => code === "supervisor.missing")).toMatchObject([
      { severity: "warning", message: expect.stringMatching(/killed/) },
    ]);
  });

  if (hasAll("bubblewrap"))
    test("a sandbox is refused with the remedy, and `auto` runs without a sandbox", async () => {
      const wanted = await unsupervisedSubject("sandbox");
      onTestFinished(wanted.dispose);
      await expect(wanted.runtime.create("w1")).rejects.toMatchObject({
        code: "ISOLATION_UNAVAILABLE",
        message: expect.stringMatching(/supervisor.*install @skillwright\/supervisor/s),
      });
      const chosen = await unsupervisedSubject("auto");
      onTestFinished(chosen.dispose);
      expect((await chosen.runtime.capabilities()).isolation).toMatchObject({ level: "none" });
    });

  test("exit codes, signals, output and input are the same as with a supervisor", async () => {
    const { exitCode, stdout, stderr, timedOut } = await runText(workspace, "cat; echo error >&2; exit 7", {
      stdin: "given\n",
    });
    expect([exitCode, stdout.text, stderr.text, timedOut]).toEqual([7, "given\n", "error\n", false]);
    expect((await runText(workspace, "kill -SEGV $$")).exitCode).toBe(139);
    const handle = await workspace.start({
      ...waiting,
      command: "trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done",
    });
    for await (const _ of handle.output()) break;
    await handle.signal("SIGTERM");
    expect((await handle.result).exitCode).toBe(5);
  });

  test("the time limit, an abort and a destroyed workspace end the command and its process group", async () => {
    const sleep = markedSleep();
    const command = `${sleep} & ${sleep}; true`;
    const late = await runText(workspace, command, { timeoutMs: 300 });
    expect([late.exitCode, late.timedOut, late.aborted]).toEqual([137, true, false]);
    const controller = new AbortController();
    const aborted = await workspace.start(
      { ...waiting, command: `echo ready; ${command}` },
      { signal: controller.signal },
    );
    for await (const _ of aborted.output()) break;
    controller.abort();
    expect(await aborted.result).toMatchObject({ exitCode: 137, timedOut: false, aborted: true });
    const destroyed = await workspace.start({ ...waiting, command: `echo ready; ${command}` });
    for await (const _ of destroyed.output()) break;
    expect(await subject.other.destroy("w1")).toBe(true);
    expect((await destroyed.result).exitCode).toBe(137);
    await expect.poll(() => processesWith(sleep)).toEqual([]);
  });

  test("KEY-02: a run that is kept and whose host was killed has an unknown outcome, and is not run again", async () => {
    const once = { ...waiting, keep: true, command: "echo ran >> work/count; echo ready; sleep 1000" };
    const handle = await workspace.start(once);
    for await (const _ of handle.output()) break;
    const records = join(subject.root, "w1/records/kept");
    const host = readdirSync(records, { recursive: true }).find((path) => String(path).endsWith("/host"));
    rmSync(join(records, String(host)));
    symlinkSync("2147483646 1", join(records, String(host)));
    const there = await subject.other.attach("w1");
    const again = await there?.start(once);
    const { exitCode, treeEnded, diagnostics } = (await again?.result) ?? {};
    expect([exitCode, treeEnded]).toEqual([137, false]);
    expect(diagnostics?.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["run.outcome-unknown", "isolation.none"]),
    );
    await handle.signal("SIGKILL");
    await handle.result;
    expect((await runText(workspace, "cat work/count")).stdout.text).toBe("ran\n");
  });

  test("a run in progress is ended by an abort of another runtime", async () => {
    const sleep = markedSleep();
    const handle = await workspace.start({ ...waiting, command: `echo ready; ${sleep}; true` });
    for await (const _ of handle.output()) break;
    const controller = new AbortController();
    const { signal } = controller;
    const there = await (await subject.other.attach("w1"))?.runOf("waiting", { signal });
    controller.abort();
    expect((await handle.result).exitCode).toBe(137);
    expect((await there?.result)?.exitCode).toBe(137);
    expect(processesWith(sleep)).toEqual([]);
  });

  test("output of a process outside the group does not delay the result", async () => {
    const sleep = markedSleep();
    const { exitCode, stdout, treeEnded, diagnostics } = await runText(
      workspace,
      // Waits until the child has executed the other program: before that, it belongs to the group.
      `setsid ${sleep} & until [[ $(tr '\\0' ' ' < /proc/$!/cmdline) == sleep* ]]; do :; done; echo ${"x".repeat(60_000)}`,
    );
    const left = processesWith(sleep);
    for (const pid of left) process.kill(pid, "SIGKILL");
    expect([exitCode, stdout.totalBytes, treeEnded]).toEqual([0, 60_001, false]);
    expect(left.length).toBe(1);
    expect(diagnostics.map(({ code }) => code)).toContain("run.tree-not-certain");
  });

  if (prlimit !== undefined)
    test("per-process limits are enforced", async () => {
      const { limits } = await subject.runtime.capabilities();
      const wanted = { limits: { openFiles: 40 }, bestEffort: true };
      const { stdout } = await runText(workspace, "ulimit -Hc; ulimit -Hn", wanted);
      expect(stdout.text).toMatch(limits.includes("openFiles") ? /^0\n40\n$/ : /^0\n/);
    });
});

const waiting = { runId: "waiting", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };
