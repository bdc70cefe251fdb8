import { totalmem } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { defaultLimits, defaultsNotEnforced } from "../src/limits/default-limits.js";
import { hardLimits } from "../src/limits/hard-limits.js";
import { planLimits } from "../src/limits/plan-limits.js";
import { localSubject } from "./local-subject.js";
import { runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;
const command = { runId: "r", command: "", cwd: ".", env: {}, timeoutMs: 1, maxOutputBytes: 0 };
const groups = { limits: ["memoryBytes", "processes", "cpu"] as const, open: () => expect.unreachable() };
const means = {
  groups,
  perProcess: true,
  countsProcesses: false,
  isolated: true,
  hard: hardLimits(),
  defaults: defaultLimits(),
};

async function workspaceOf(isolation: "sandbox" | "none") {
  const { runtime, dispose } = await localSubject(isolation);
  onTestFinished(dispose);
  return { runtime, workspace: await runtime.create("w1") };
}

test("the default limits are 256 processes, half of the memory, 2 GiB, 100,000 inodes and one core", () => {
  const { memoryBytes, ...others } = defaultLimits();
  expect(others).toEqual({ processes: 256, diskBytes: 2 * 1024 ** 3, inodes: 100_000, cpu: 1 });
  expect(memoryBytes).toBeGreaterThan(0);
  expect(memoryBytes).toBeLessThanOrEqual(totalmem() / 2);
});

test("a run without limits has the defaults, and one with some has the other defaults in addition", () => {
  const plan = planLimits(command, means);
  const { processes, memoryBytes, cpu, diskBytes, inodes } = defaultLimits();
  expect(plan).toMatchObject({ group: { processes, memoryBytes, cpu }, watched: { diskBytes, inodes } });
  expect(plan.inForce).toEqual({ processes, memoryBytes, cpu, diskBytes, inodes });
  expect(plan.diagnostics).toEqual([]);
  const own = planLimits({ ...command, limits: { processes: 1000, inodes: 5 } }, means);
  expect(own).toMatchObject({
    group: { processes: 1000, memoryBytes, cpu },
    watched: { diskBytes, inodes: 5 },
  });
  expect(own.diagnostics).toMatchObject([{ code: "limit.best-effort" }]);
});

test("a default that cannot be enforced is omitted from a run; a limit of the caller is refused or best effort", () => {
  const poor = { ...means, groups: undefined, perProcess: false, isolated: false };
  expect(planLimits(command, poor)).toMatchObject({ inForce: {}, group: {}, watched: {}, diagnostics: [] });
  const asked = { ...command, limits: { inodes: 10 } };
  expect(() => planLimits(asked, poor)).toThrow(/cannot enforce the limit inodes/);
  expect(planLimits({ ...asked, bestEffort: true }, poor)).toMatchObject({
    watched: { inodes: 10 },
    diagnostics: [{ code: "limit.watched" }],
  });
});

test("defaults that a machine cannot enforce are a single diagnostic of its capabilities", async () => {
  expect(defaultsNotEnforced(defaultLimits(), ["processes", "diskBytes", "inodes"])).toMatchObject([
    { code: "limit.default-not-enforced", message: expect.stringContaining("memoryBytes, cpu") },
  ]);
  expect(defaultsNotEnforced(defaultLimits(), Object.keys(defaultLimits()) as never)).toEqual([]);
  const { runtime, workspace } = await workspaceOf("none");
  const { diagnostics = [] } = await runtime.capabilities();
  expect(diagnostics.filter(({ code }) => code === "limit.default-not-enforced")).toHaveLength(1);
  const { exitCode, diagnostics: told } = await runText(workspace, "true");
  expect([exitCode, told.filter(({ code }) => code.startsWith("limit."))]).toEqual([0, []]);
});

if (hasAll("bubblewrap")) {
  test("exceeding the number of files ends the run, and the result names the limit", async () => {
    const { workspace } = await workspaceOf("sandbox");
    const many = "mkdir work/d; for i in $(seq 1000000); do : > work/d/$i; done; echo all";
    const { exitCode, stdout, treeEnded, diagnostics } = await runText(workspace, many, {
      limits: { inodes: 500 },
      timeoutMs: 60_000,
    });
    expect([exitCode, stdout.text, treeEnded]).toEqual([137, "", true]);
    expect(diagnostics.map(({ code }) => code)).toContain("limit.inodes-reached");
  });

  test.each(["/tmp", "/dev/shm"])("exceeding the number of files in %s ends the run", async (directory) => {
    const { workspace } = await workspaceOf("sandbox");
    const many = `for i in $(seq 1000000); do : > "${directory}/$i"; done; echo all`;
    const { exitCode, stdout, diagnostics } = await runText(workspace, many, {
      limits: { inodes: 500 },
      timeoutMs: 60_000,
    });
    expect([exitCode, stdout.text]).toEqual([137, ""]);
    expect(diagnostics.map(({ code }) => code)).toContain("limit.inodes-reached");
  });

  test("a run without limits of its own cannot start 300 processes", async () => {
    const { runtime, workspace } = await workspaceOf("sandbox");
    const { limits } = await runtime.capabilities();
    const { stdout } = await runText(
      workspace,
      "for i in $(seq 300); do sleep 60 & done 2>/dev/null; echo all; kill -9 -1",
    );
    expect(stdout.text.includes("all")).toBe(!limits.includes("processes"));
  });

  test("exceeding a watched limit is reported with the result", async () => {
    const { workspace } = await workspaceOf("sandbox");
    const { diagnostics } = await runText(
      workspace,
      "for i in $(seq 1000); do head -c 1000000 /dev/zero > work/f$i; done; sleep 60",
      { limits: { diskBytes: 8 * MEBIBYTE }, timeoutMs: 60_000 },
    );
    const reached = diagnostics.find(({ code }) => code === "limit.diskBytes-reached");
    expect(reached?.message).toMatch(/\d+ bytes were found, 8388608 are allowed, best effort/);
  });
}
