import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeWorkspace } from "@skillwright/core";
import { type RunCommand, run } from "@skillwright/core/adapter";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localRuntime } from "../src/local-runtime.js";
import { localSubject } from "./local-subject.js";
import { isRunning, markedSleep, printed, processesWith, runText } from "./running.js";

const codes = (diagnostics: readonly { code: string }[]) => diagnostics.map(({ code }) => code);
const command = (text: string, more: Partial<RunCommand> = {}): RunCommand => ({
  runId: "call-1",
  keep: true,
  command: text,
  cwd: ".",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 100_000,
  ...more,
});

if (hasAll("bubblewrap", "supervisor"))
  describe.each(["sandbox", "none"] as const)("a run that is kept (%s)", (isolation) => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeEach(async () => {
      subject = await localSubject(isolation);
      workspace = await subject.runtime.create("w1");
    });

    afterEach(() => subject.dispose());

    const record = () => {
      const [place = ""] = readdirSync(join(subject.root, "w1/records/kept"));
      const directory = join(subject.root, "w1/records/kept", place);
      return join(directory, readlinkSync(join(directory, "run")));
    };

    test("is one for starts of the same command that this process makes at once", async () => {
      const one = command("echo started >> work/count; sleep 0.1; exit 3");
      const results = await Promise.all([run(workspace, one), run(workspace, one), run(workspace, one)]);
      expect(results.map(({ exitCode }) => exitCode)).toEqual([3, 3, 3]);
      expect(await printed(workspace, "cat work/count")).toBe("started\n");
    });

    test("frees its id when it was refused before its start", async () => {
      await expect(workspace.start(command("true", { cwd: "absent" }))).rejects.toThrow(/absent/);
      const failing = async function* () {
        yield Buffer.from("first");
        throw new Error("the source failed");
      };
      await expect(workspace.start(command("cat", { stdin: failing() }))).rejects.toThrow(/source failed/);
      expect(
        (await runText(workspace, "cat", { runId: "call-1", keep: true, stdin: "whole" })).stdout.text,
      ).toBe("whole");
    });

    test("takes no input after its start", async () => {
      const handle = await workspace.start(command("cat"));
      await expect(handle.write(Buffer.from("late"))).rejects.toMatchObject({ code: "CLOSED" });
      await handle.endInput();
      expect((await handle.result).exitCode).toBe(0);
      await handle.signal("SIGTERM");
    });

    test("follows a run to its end where its own runtime is closed meanwhile, and leaves nothing open", async () => {
      const handle = await workspace.start(command("echo up; sleep 1000; true"));
      for await (const _ of handle.output()) break;
      const there = await (await subject.other.attach("w1"))?.runOf("call-1");
      const reading = (async () => {
        for await (const _ of handle.output({ from: 3 }));
      })();
      await subject.runtime.close();
      await expect(handle.result).rejects.toMatchObject({ code: "CLOSED" });
      await reading;
      await there?.signal("SIGKILL");
      expect((await there?.result)?.exitCode).toBe(137);
    });

    test("gives a slow reader all of 8 MB within `liveOutputBytes`, in order, and keeps head and tail of it afterwards", async () => {
      const text = "seq 1000000 | head -c 4000000; seq 1000000 | head -c 4000000 >&2";
      const handle = await workspace.start(command(text, { liveOutputBytes: 8_000_000 }));
      const read = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
      let next = 0;
      for await (const { stream, offset, bytes } of handle.output()) {
        // The command has ended long before the second piece is read.
        await handle.result;
        expect(offset).toBe(next);
        next += bytes.byteLength;
        read[stream].push(bytes);
      }
      const numbers = Array.from({ length: 700_000 }, (_, index) => `${index + 1}\n`)
        .join("")
        .slice(0, 4_000_000);
      for (const stream of ["stdout", "stderr"] as const)
        expect(Buffer.concat(read[stream]).equals(Buffer.from(numbers))).toBe(true);
      const { stdout } = await handle.result;
      expect([stdout.totalBytes, stdout.truncated]).toEqual([4_000_000, true]);
      const sizes = readdirSync(record()).map((name) =>
        /^std/.test(name) ? statSync(join(record(), name)).size : 0,
      );
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(800_000);
      const again = await (await subject.other.attach("w1"))?.runOf("call-1");
      expect((await again?.result)?.stdout).toEqual(stdout);
    });

    test("has its time limit, also where a command stopped its supervisor", async () => {
      const text = isolation === "none" ? "kill -STOP $PPID; sleep 1000; true" : "sleep 1000; true";
      const { timedOut, exitCode, treeEnded } = await runText(workspace, text, {
        runId: "call-1",
        keep: true,
        timeoutMs: 300,
      });
      expect([timedOut, exitCode, treeEnded]).toEqual([true, 137, true]);
    });

    test("ends with its workspace, also where a command stopped its supervisor", async () => {
      const sleep = markedSleep();
      const stop = isolation === "none" ? "kill -STOP $PPID; " : "";
      const handle = await workspace.start(command(`echo up; ${stop}${sleep}; true`));
      await expect.poll(() => isRunning(sleep)).toBe(true);
      expect(await subject.other.destroy("w1")).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
      expect(await handle.result).toMatchObject({ exitCode: 137, treeEnded: true });
    });

    test("ends when its workspace is repaired", async () => {
      const sleep = markedSleep();
      const handle = await workspace.start(command(`echo up; ${sleep}; true`));
      for await (const _ of handle.output()) break;
      rmSync(join(subject.root, "w1/record.json"));
      expect(await subject.other.repair?.("w1")).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
    });

    if (isolation === "sandbox") {
      test("cannot see, change or forge its record", async () => {
        const text = `find / \\( -name run.json -o -name lease -o -name stdout.0 -o -type p \\) -not -path '/proc/*' 2>/dev/null
for fd in /proc/1/fd/* /proc/self/fd/0; do echo 'ended exit 0' >> $fd; echo gone >> $fd; done 2>/dev/null
kill -KILL 1; ls -d ../records ../../records 2>/dev/null; exit 9`;
        const { exitCode, stdout, treeEnded } = await runText(workspace, text, {
          runId: "call-1",
          keep: true,
          stdin: "given",
        });
        expect([exitCode, stdout.text, treeEnded]).toEqual([9, "", true]);
        const lines = readFileSync(join(record(), "report"), "utf8").replace(/\d+/g, "N").split("\n");
        // Where the run has a control group.
        const report = lines.filter((line) => !line.startsWith("used "));
        expect(report).toEqual([
          ...["protocol N", "supervisor N", "child N", "begun", "ended exit N", "launcher exit N", "took N"],
          ...["gone", ""],
        ]);
      });

      test("is ended at a limit on disk by the process that started it, and that is recorded", async () => {
        const text = "head -c 40000000 /dev/zero > work/large; sleep 1000; true";
        const limits = { diskBytes: 8_000_000 };
        const result = await runText(workspace, text, { runId: "call-1", keep: true, limits });
        expect(codes(result.diagnostics)).toContain("limit.diskBytes-reached");
        const there = await (await subject.other.attach("w1"))?.runOf("call-1");
        expect(await there?.result).toEqual(result);
      });

      test("has its copies of skills, which are removed when it is over", async () => {
        const copies = await localSubject("sandbox", undefined, { skillCopies: "run" });
        try {
          const own = await copies.runtime.create("w1");
          await own.stage({
            name: "demo",
            digest: `sha256:${"1".repeat(64)}`,
            files: async function* () {
              yield { path: "SKILL.md", content: "demo" };
            },
          });
          const text = "echo changed > skills/demo/new; ls skills/demo";
          expect((await run(own, command(text))).stdout.text).toContain("new");
          expect(readdirSync(join(copies.root, "w1/copies"))).toEqual([]);
        } finally {
          await copies.dispose();
        }
      });
    }
  });

test.each([0, -1, 0.5, Number.NaN, 2 ** 31])("a lease of %s ms is refused", (leaseMs) => {
  expect(() => localRuntime({ leaseMs })).toThrow(/leaseMs/);
});
