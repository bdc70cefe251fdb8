import { constants } from "node:os";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { findProgram } from "../src/host/find-program.js";
import { unsupervisedSubject } from "./local-subject.js";
import { markedSleep, processesWith, runText } from "./running.js";

const { EPERM, EAFNOSUPPORT } = constants.errno;
const prlimit = await findProgram("prlimit");

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const))
  describe(`where no supervisor runs (${isolation})`, () => {
    let subject: Awaited<ReturnType<typeof unsupervisedSubject>>;
    let workspace: RuntimeWorkspace;

    beforeEach(async () => {
      subject = await unsupervisedSubject(isolation);
      workspace = await subject.runtime.create("w1");
    });

    afterEach(() => subject.dispose());

    test("the capabilities report it, with the restrictions", async () => {
      const { endsTree, limits, diagnostics } = await subject.runtime.capabilities();
      expect(endsTree).toBe(isolation === "sandbox");
      expect(limits).not.toContain("memoryBytes");
      expect(diagnostics?.filter(({ code }) => code === "supervisor.missing")).toMatchObject([
        { severity: "warning", message: expect.stringMatching(/killed/) },
      ]);
    });

    test("exit codes, signals, output and input are the same as with one", async () => {
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

    test("output of a process outside the group does not delay the result", async () => {
      const sleep = markedSleep();
      const { exitCode, stdout, treeEnded, diagnostics } = await runText(
        workspace,
        // Until it has become the other program: before that it is in the group.
        `setsid ${sleep} & until [[ $(tr '\\0' ' ' < /proc/$!/cmdline) == sleep* ]]; do :; done; echo ${"x".repeat(60_000)}`,
      );
      const left = processesWith(sleep);
      for (const pid of left) process.kill(pid, "SIGKILL");
      const certain = isolation === "sandbox";
      expect([exitCode, stdout.totalBytes, treeEnded]).toEqual([0, 60_001, certain]);
      expect(left.length).toBe(certain ? 0 : 1);
      expect(diagnostics.some(({ code }) => code === "run.tree-not-certain")).toBe(!certain);
    });

    if (isolation === "sandbox" && hasAll("python3"))
      test.for([
        [false, [EPERM, EAFNOSUPPORT]],
        [true, [EPERM, 0]],
      ] as const)("commands run under the system-call filter (network: %s)", async ([network, errors]) => {
        const { stdout } = await runText(workspace, `python3 -c '${REFUSED_CALLS}'`, { network });
        expect(JSON.parse(stdout.text)).toEqual(errors);
        expect(
          (await runText(workspace, "grep ^Seccomp: /proc/1/status /proc/self/status")).stdout.text,
        ).toBe("/proc/1/status:Seccomp:\t2\n/proc/self/status:Seccomp:\t2\n");
      });

    if (prlimit !== undefined)
      test("per-process limits are enforced", async () => {
        const { limits } = await subject.runtime.capabilities();
        const wanted = { limits: { openFiles: 40 }, bestEffort: true };
        const { stdout } = await runText(workspace, "ulimit -Hc; ulimit -Hn", wanted);
        expect(stdout.text).toMatch(limits.includes("openFiles") ? /^0\n40\n$/ : /^0\n/);
      });
  });

/** A Python program that attaches to the first process, opens a netlink socket, and prints the error of each call. */
const REFUSED_CALLS = `import ctypes, json, socket
libc = ctypes.CDLL(None, use_errno=True)
def error(call, *args):
    return 0 if call(*args) >= 0 else ctypes.get_errno()
print(json.dumps([error(libc.ptrace, 16, 1, 0, 0), error(libc.socket, 16, 3, 0)]))`;

const waiting = { runId: "waiting", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };
