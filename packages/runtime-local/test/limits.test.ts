import { readdirSync, readFileSync } from "node:fs";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownControlGroups } from "../src/limits/control-group-hierarchies.js";
import { hardLimits } from "../src/limits/hard-limits.js";
import { enforcedLimits, planLimits } from "../src/limits/plan-limits.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, processesWith, runText } from "./running.js";

const hasGroups = hasAll("bubblewrap", "control groups of version 1");

/** Groups of this package left in the hierarchies. */
function groupsLeft(): readonly string[] {
  return [...ownControlGroups().separate.values()].flatMap((path) =>
    readdirSync(path).filter((name) => name.startsWith(`skillwright-${process.pid}-`)),
  );
}

if (hasGroups)
  describe("limits of a run's processes together", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;
    let workspace: RuntimeWorkspace;

    beforeAll(async () => {
      subject = await localSubject("sandbox");
      workspace = await subject.runtime.create("w1");
    });

    afterAll(() => subject.dispose());

    test("PROC-06: a fork bomb is contained, ends at the timeout, and leaves nothing", async () => {
      const sleep = markedSleep();
      const bomb = `echo marker > /dev/null; f() { ${sleep} & f | f & }; f; sleep 120`;
      // On a busy machine it takes a while to reach the limit.
      const result = await runText(workspace, bomb, { limits: { processes: 64 }, timeoutMs: 10_000 });
      expect([result.timedOut, result.treeEnded]).toEqual([true, true]);
      expect(result.diagnostics.map(({ code }) => code)).toContain("limit.processes-reached");
      expect(processesWith(sleep)).toEqual([]);
      expect(groupsLeft()).toEqual([]);
    });

    test("a run that uses more memory than allowed is ended, and the result says why", async () => {
      const limits = { memoryBytes: 64 * 1024 * 1024 };
      const hog = await runText(
        workspace,
        "set -o pipefail; head -c 500M /dev/zero | tail -c 500M > /dev/null",
        { limits },
      );
      expect(hog.exitCode).not.toBe(0);
      expect(hog.diagnostics.map(({ code }) => code)).toContain("limit.memoryBytes-reached");
      const tmp = await runText(workspace, "head -c 200M /dev/zero > /tmp/big", { limits });
      expect(tmp.exitCode).not.toBe(0);
      const after = await runText(workspace, "echo fine", { limits });
      expect([after.stdout.text, after.diagnostics]).toEqual(["fine\n", []]);
      expect(groupsLeft()).toEqual([]);
    });

    test("RES-06: the result has the most memory that the run used, also for another process that follows the run", async () => {
      const command = "head -c 100M /dev/zero | tail -c 100M > /dev/null";
      const small = await runText(workspace, "echo small");
      const large = await runText(workspace, command, { runId: "large", keep: true });
      expect(small.peakMemoryBytes).toBeGreaterThan(0);
      expect(small.peakMemoryBytes).toBeLessThan(100_000_000);
      expect(large.peakMemoryBytes).toBeGreaterThan(100_000_000);
      const known = await (await workspace.runOf("large"))?.result;
      expect(known?.peakMemoryBytes).toBe(large.peakMemoryBytes);
    });

    test("the limits are removed with the run", async () => {
      const limits = { processes: 8, memoryBytes: 64 * 1024 * 1024, cpu: 0.5 };
      await runText(workspace, "true", { limits });
      const { stdout } = await runText(workspace, "for i in $(seq 20); do sleep 0.1 & done; wait; echo all");
      expect(stdout.text).toBe("all\n");
      expect(groupsLeft()).toEqual([]);
    });
  });

if (hasAll("bubblewrap"))
  test("no process of a run can raise its limits", async () => {
    const { runtime, dispose } = await localSubject("sandbox");
    const workspace = await runtime.create("w1");
    const text = "ulimit -n; ulimit -Hn 4096 2>/dev/null; ulimit -n 4096 2>/dev/null; bash -c 'ulimit -Hn'";
    const { stdout } = await runText(workspace, text, { limits: { openFiles: 40, fileBytes: 10_000_000 } });
    expect(stdout.text).toBe("40\n40\n");
    await dispose();
  });

const none = {
  groups: undefined,
  perProcess: false,
  countsProcesses: false,
  isolated: false,
  hard: hardLimits(),
  defaults: {},
};
const command = { runId: "r", command: "", cwd: ".", env: {}, timeoutMs: 1, maxOutputBytes: 0 };

test("a limit above the machine's own is satisfied by that", () => {
  const limits = { openFiles: Number.MAX_SAFE_INTEGER };
  const { each, inForce } = planLimits({ ...command, limits }, { ...none, perProcess: true });
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  expect(each).toEqual(["core=0", `nofile=${hard}`]);
  expect(inForce).toEqual({ openFiles: Number(hard) });
});

test("RES-04: without other limits core dumps are off", () => {
  const plan = planLimits({ ...command, limits: {} }, none);
  const watched = { watched: {}, isLenient: true, watchesDefaults: true };
  expect(plan).toEqual({ inForce: {}, group: {}, each: ["core=0"], ...watched, diagnostics: [] });
});

test("the sandbox's first process is counted in addition to those of the command", () => {
  const means = { ...none, perProcess: true, countsProcesses: true, isolated: true };
  expect(planLimits({ ...command, limits: { processes: 7 } }, means).each).toEqual(["core=0", "nproc=8"]);
});

test("each means offers what it can enforce, and nothing else", () => {
  const groups = { limits: ["memoryBytes", "processes", "cpu"] as const, open: () => expect.unreachable() };
  const offered = (more: object) => enforcedLimits({ ...none, ...more }).join(" ");
  expect(offered({})).toBe("");
  expect(offered({ perProcess: true })).toBe("openFiles fileBytes");
  expect(offered({ perProcess: true, isolated: true })).toBe("openFiles fileBytes diskBytes inodes");
  expect(offered({ perProcess: true, isolated: true, countsProcesses: true })).toBe(
    "processes openFiles fileBytes diskBytes inodes",
  );
  expect(offered({ perProcess: true, isolated: true, groups })).toBe(
    "memoryBytes cpu processes openFiles fileBytes diskBytes inodes",
  );
});

test("memory that cannot be limited together is limited per process when best effort is requested", () => {
  const means = { ...none, perProcess: true };
  const wanted = { ...command, limits: { memoryBytes: 1_000_000 } };
  expect(() => planLimits(wanted, means)).toThrow(/cannot enforce the limit memoryBytes/);
  const { each, diagnostics } = planLimits({ ...wanted, bestEffort: true }, means);
  expect(each).toContain("data=1000000");
  expect(diagnostics).toMatchObject([{ code: "limit.per-process" }]);
});
