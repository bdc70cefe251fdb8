import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { markedProcesses } from "./marked-processes.js";
import { sandboxed } from "./sandboxed.js";
import { ownProgram, supervised } from "./supervised.js";

const bash = (text: string) => ["/bin/bash", "-c", text];
const whole = (...lines: string[]) => ["protocol 2", "child", ...lines, "gone"];

if (hasAll("supervisor"))
  test("init refuses to run if it is not the first process", async () => {
    const { report, stderr } = await supervised([], [ownProgram, "init", "--", "/bin/true"]).ended;
    expect(report).toEqual(whole("begun", "ended exit 125"));
    expect(stderr).toContain("init is not the first process of a PID namespace");
  });

if (hasAll("supervisor", "bubblewrap"))
  describe("a program in a sandbox", () => {
    test("is reported with its exit code, and with the signal that ended it", async () => {
      const exited = await sandboxed([], bash("echo out; echo err >&2; exit 7")).ended;
      expect(exited).toEqual({
        exitCode: 0,
        report: whole("begun", "ended exit 7", "launcher exit 0"),
        stdout: "out\n",
        stderr: "err\n",
      });
      const { report } = await sandboxed([], bash("kill -SEGV $$")).ended;
      expect(report).toEqual(whole("begun", "ended signal 11", "launcher exit 0"));
    });

    test("is reported as not started if it or its sandbox is absent", async () => {
      const absent = await sandboxed([], ["/absent/program"]).ended;
      expect(absent.report).toEqual(whole("failed exec 2", "launcher exit 0"));
      const noSandbox = await sandboxed([], ["/bin/true"], { mounts: ["--bind", "/absent", "/absent"] })
        .ended;
      expect(noSandbox.report).toEqual(whole("launcher exit 1"));
      expect(noSandbox.stderr).toContain("/absent");
    });

    test("has its own session, descriptors 0, 1 and 2, and no access to the report", async () => {
      const { stdout } = await sandboxed(
        [],
        bash("cd /proc/self/fd; echo *; [ $(ps -o sid= $$) = $$ ] && echo own; ls -d /proc/[0-9]*"),
      ).ended;
      // The shell has one more: the directory that it lists.
      expect(stdout).toMatch(/^0 1 2 3\nown\n/);
    });

    test("keeps its limits", async () => {
      const { stdout } = await sandboxed(["--limit", "nofile=64"], bash("ulimit -Sn; ulimit -Hn")).ended;
      expect(stdout).toBe("64\n64\n");
    });

    test("is reported with each file system that it fills", async () => {
      const mounts = ["--size", "1048576", "--tmpfs", "/run/small"];
      const options = ["--space", "/run/small", "--space", "/tmp", "--space", "/absent"];
      const filled = await sandboxed(options, bash("cat /dev/zero > /run/small/f; exit 5"), { mounts }).ended;
      expect(filled.report).toEqual(whole("begun", "ended exit 5", "full /run/small", "launcher exit 0"));
      const emptied = "cat /dev/zero > /run/small/f; rm /run/small/f";
      const { report } = await sandboxed(options, bash(emptied), { mounts }).ended;
      expect(report).toEqual(whole("begun", "ended exit 0", "launcher exit 0"));
    });

    test("is refused with a directory that cannot be written in a report", async () => {
      for (const directory of ["tmp", "/a\nb", `/${"a".repeat(64)}`]) {
        const { report, stderr } = await sandboxed(["--space", directory], bash("echo begun")).ended;
        expect(report).toEqual(whole("launcher exit 125"));
        expect(stderr).toContain("no directory for --space");
      }
    });

    test("gets a signal from its host, in its whole group", async () => {
      const run = sandboxed(
        [],
        bash("trap 'echo told; exit 4' USR1; echo ready; while :; do sleep 0.01; done"),
      );
      await run.printed("ready");
      run.control.write("signal 10\n");
      const { report, stdout } = await run.ended;
      expect([report, stdout]).toEqual([whole("begun", "ended exit 4", "launcher exit 0"), "ready\ntold\n"]);
    });

    test("ends with every process of its sandbox, however they detached", async () => {
      const detached = "setsid sleep 1000 & ( ( sleep 1000 & ) & ); ( kill -STOP $BASHPID ) & trap '' TERM;";
      const marked = markedProcesses();
      const run = sandboxed(
        [],
        ["/usr/bin/env", mark(marked), "/bin/bash", "-c", `${detached} echo ready; exit 2`],
      );
      const { report } = await run.ended;
      expect(report).toEqual(whole("begun", "ended exit 2", "launcher exit 0"));
      expect(marked.alive()).toEqual([]);
    });

    test.each([
      ["says `end`", (run: Run) => run.control.write("end\n")],
      ["closes the control pipe", (run: Run) => run.control.destroy()],
    ])("is gone with all of its sandbox when its host %s", async (_, act) => {
      const marked = markedProcesses();
      const text = "setsid sleep 1000 & trap '' TERM; echo ready; sleep 1000";
      const run = sandboxed([], ["/usr/bin/env", mark(marked), "/bin/bash", "-c", text]);
      await Promise.all([run.printed("ready"), run.line("begun")]);
      act(run);
      const { report } = await run.ended;
      expect(report.slice(0, 3)).toEqual(["protocol 2", "child", "begun"]);
      expect(report.at(-1)).toBe("gone");
      expect(report.filter((line) => line.startsWith("launcher "))).toHaveLength(1);
      expect(marked.alive()).toEqual([]);
    });

    test("dies with its outer supervisor when that is killed, without a report of an end", async () => {
      const marked = markedProcesses();
      const text = "setsid sleep 1000 & trap '' TERM; echo ready; sleep 1000";
      const run = sandboxed([], ["/usr/bin/env", mark(marked), "/bin/bash", "-c", text]);
      await Promise.all([run.printed("ready"), run.line("begun")]);
      run.child.kill("SIGKILL");
      // The streams close when the last process that holds them is dead.
      expect((await run.ended).report).toEqual(["protocol 2", "child", "begun"]);
      expect(marked.alive()).toEqual([]);
    });

    test("`kill -9 -1` kills only the command and its own children", async () => {
      const { report } = await sandboxed([], bash("kill -9 -1; kill -9 1; sleep 1000 & kill -9 $$")).ended;
      expect(report).toEqual(whole("begun", "ended signal 9", "launcher exit 0"));
    });
  });

type Run = ReturnType<typeof sandboxed>;

function mark({ env }: { env: NodeJS.ProcessEnv }): string {
  return `SUPERVISOR_TEST_MARK=${env["SUPERVISOR_TEST_MARK"]}`;
}
