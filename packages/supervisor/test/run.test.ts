import { mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { otherUser, supervised } from "./supervised.js";

const bash = (text: string) => ["/bin/bash", "-c", text];

if (hasAll("supervisor"))
  describe("a supervised program", () => {
    let directory: string;
    beforeAll(() => {
      directory = realpathSync(mkdtempSync(join(tmpdir(), "supervisor-")));
    });
    afterAll(() => rmSync(directory, { recursive: true }));

    test("is reported with its exit code", async () => {
      expect(await supervised([], bash("echo out; echo err >&2; exit 7")).ended).toEqual({
        exitCode: 0,
        report: ["protocol 2", "child", "begun", "ended exit 7", "gone"],
        stdout: "out\n",
        stderr: "err\n",
      });
    });

    test("is reported with the signal that ended it", async () => {
      const { report } = await supervised([], bash("kill -SEGV $$")).ended;
      expect(report).toEqual(["protocol 2", "child", "begun", "ended signal 11", "gone"]);
    });

    test.each([
      ["a file that is absent", [], ["/absent/program"], "failed exec 2"],
      ["a file that is not executable", [], ["/etc/passwd"], "failed exec 13"],
      ["a directory that is absent", ["--cwd", "/absent"], ["/bin/true"], "failed cwd 2"],
      ["a control group that is absent", ["--tasks", "/absent/tasks"], ["/bin/true"], "failed tasks 2"],
    ])("is reported as not started with %s", async (_, options, command, failure) => {
      const { exitCode, report } = await supervised(options, command).ended;
      expect([exitCode, report]).toEqual([0, ["protocol 2", "child", failure, "gone"]]);
    });

    test("gets the requested directory", async () => {
      const { stdout } = await supervised(["--cwd", directory], ["/bin/pwd"]).ended;
      expect(stdout).toBe(`${directory}\n`);
    });

    test("joins each control group by itself", async () => {
      const files = ["one", "two"].map((name) => join(directory, name));
      for (const file of files) writeFileSync(file, "");
      await supervised(["--tasks", files[0] ?? "", "--procs", files[1] ?? ""], ["/bin/true"]).ended;
      expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["0", "0"]);
    });

    test("has descriptors 0, 1 and 2 and the requested ones, and none that its host inherited", async () => {
      const descriptors = [
        openSync("/dev/zero", "r"),
        openSync("/dev/full", "r"),
        openSync("/dev/zero", "r"),
      ];
      const list = bash("cd /proc/self/fd; for fd in *; do readlink $fd; done");
      const bare = await supervised([], list, { descriptors }).ended;
      expect(bare.stdout.split("\n").filter((line) => line.startsWith("/dev/"))).toEqual(["/dev/null"]);
      const kept = await supervised(["--keep", "6"], list, { descriptors }).ended;
      expect(kept.stdout.split("\n").filter((line) => line.startsWith("/dev/"))).toEqual([
        "/dev/null",
        "/dev/full",
      ]);
      expect(bare.stdout).not.toContain("signalfd");
    });

    test("keeps its soft and hard limits, and skips a limit above the hard one", async () => {
      const asked = ["nofile=64", "core=0", "fsize=1048576", "cpu=9", "stack=4194304"].flatMap((limit) => [
        "--limit",
        limit,
      ]);
      const { stdout } = await supervised(asked, ["/bin/cat", "/proc/self/limits"]).ended;
      const limits = stdout.matchAll(
        /^Max (cpu time|file size|stack size|core file size|open files) +(\d+) +(\d+)/gm,
      );
      expect([...limits].map(([, ...values]) => values)).toEqual([
        ["cpu time", "9", "9"],
        ["file size", "1048576", "1048576"],
        ["stack size", "4194304", "4194304"],
        ["core file size", "0", "0"],
        ["open files", "64", "64"],
      ]);
      const nested = ["/bin/bash", "-c", 'ulimit -n 32; exec "$0" "$@"'];
      const higher = await supervised(["--limit", "nofile=64"], bash("ulimit -Sn; ulimit -Hn"), {
        before: nested,
      }).ended;
      expect(higher.stdout).toBe("32\n32\n");
    });

    test("starts with no signal blocked or ignored, whatever its host ignores", async () => {
      const { stdout } = await supervised([], bash("grep -E '^Sig(Blk|Ign)' /proc/$$/status"), {
        before: ["/bin/bash", "-c", 'trap "" INT HUP PIPE USR1; exec "$0" "$@"'],
      }).ended;
      expect(stdout).toMatch(/SigBlk:\s+0+\nSigIgn:\s+0+\n/);
    });

    test("gets a signal from its host, in its whole group", async () => {
      const trap = "trap 'echo told $BASHPID; exit 4' USR1; echo ready; while :; do sleep 0.01; done";
      const run = supervised(["--session"], bash(`( ${trap} ) & ${trap}`));
      await run.line("begun");
      await run.printed("ready\nready\n");
      run.control.write("nonsense\nsignal\nsignal 99\nsignal 1x\nsignal 10\n");
      const { report, stdout } = await run.ended;
      expect(report).toEqual(["protocol 2", "child", "begun", "ended exit 4", "gone"]);
      expect(stdout).toContain("told");
    });

    test("gets a signal that was sent before it started", async () => {
      const run = supervised(["--session"], ["/bin/sleep", "1000"]);
      run.control.write("signal 15\n");
      expect((await run.ended).report).toEqual(["protocol 2", "child", "begun", "ended signal 15", "gone"]);
    });

    test("ends at its timeout, which is reported", async () => {
      const { report } = await supervised(["--time", "50"], ["/bin/sleep", "1000"]).ended;
      expect(report).toEqual(["protocol 2", "child", "begun", "limit time", "ended signal 9", "gone"]);
    });

    test.each([
      ["an unknown option", ["--what", "1"], "unknown option: --what"],
      ["a number with a sign", ["--time", "-1"], "a number is needed for --time"],
      [
        "a number that is too large",
        ["--time", "99999999999999999999"],
        "the number is too large for --time",
      ],
      ["a descriptor that is not open", ["--keep", "99"], "this descriptor is not open: --keep"],
      ["a descriptor of its streams", ["--keep", "1"], "a descriptor from 3 up is needed for --keep"],
      ["one descriptor for two uses", ["--child-control", "3"], "--child-control names a descriptor"],
      ["a limit it does not know", ["--limit", "as=1"], "unknown limit: as=1"],
      ["a user without a group", ["--user", "1"], "--user and --group are given together"],
      ["an option without a value", ["--report"], "a value is missing after --report"],
    ])("is not started with %s", async (_, options, message) => {
      const before = options.at(-1) === "--report" ? ["/bin/bash", "-c", '"$0" run --report'] : [];
      const { exitCode, report, stderr } = await supervised(options, ["/bin/true"], { before }).ended;
      expect([exitCode, report]).toEqual([125, []]);
      expect(stderr).toContain(`skillwright-supervisor: ${message}`);
    });
  });

if (hasAll("supervisor", "root"))
  test("a program that runs as another user has that user and group, and no other group", async () => {
    const { stdout } = await supervised(otherUser, ["/usr/bin/id"]).ended;
    expect(stdout).toMatch(/^uid=65534\S* gid=65534\S* groups=65534\S*\n$/);
  });
