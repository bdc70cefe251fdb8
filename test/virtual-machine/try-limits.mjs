import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { run } from "../../packages/core/dist/adapter.js";
import { groupsOfRuns, processesWith } from "./groups.mjs";

const MEBIBYTE = 1024 ** 2;
const hog = (mebibytes) =>
  `set -o pipefail; head -c ${mebibytes}M /dev/zero | tail -c ${mebibytes}M > /dev/null`;
const FORKS = `python3 -c 'import os
for i in range(30): os.fork() or os.execvp("sleep", ["sleep", "600"])'`;

/** Checks that the limits of runs hold in a workspace of the runtime. */
export async function tryLimits(check, runtime) {
  const workspace = await runtime.create(`w-${process.pid}`);
  const command = () => ({
    runId: randomUUID(),
    cwd: ".",
    env: {},
    timeoutMs: 600_000,
    maxOutputBytes: 10_000,
  });
  const ran = (text, more = {}) => run(workspace, { ...command(), ...more, command: text });
  const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);

  await check("memory, CPU and processes are limits, and every default holds", async () => {
    const { limits, diagnostics = [] } = await runtime.capabilities();
    for (const limit of ["memoryBytes", "cpu", "processes"])
      assert.ok(limits.includes(limit), `${limit}: ${limits}`);
    const told = diagnostics.filter(({ code }) => code.startsWith("limit."));
    assert.deepEqual(told, []);
  });
  await check("a run with little memory stays within its limit, and is not told of it", async () => {
    const result = await ran(hog(16), { limits: { memoryBytes: 64 * MEBIBYTE } });
    assert.deepEqual([result.exitCode, codes(result)], [0, []]);
  });
  for (const key of [undefined, "call-1"])
    await check(
      `a run with too much memory is ended, and told of it${key ? ", with a key" : ""}`,
      async () => {
        const result = await ran(hog(200), { key, limits: { memoryBytes: 64 * MEBIBYTE } });
        assert.notEqual(result.exitCode, 0);
        assert.ok(codes(result).includes("limit.memoryBytes-reached"), String(codes(result)));
      },
    );
  await check("a run with too many processes is told of it", async () => {
    const result = await ran(FORKS, { limits: { processes: 8 } });
    assert.notEqual(result.exitCode, 0);
    assert.ok(codes(result).includes("limit.processes-reached"), String(codes(result)));
  });
  await check("the group of a run has all of its limits, and is removed with it", async () => {
    const limits = { memoryBytes: 64 * MEBIBYTE, processes: 10, cpu: 0.25 };
    const start = { ...command(), command: "echo up; read line", limits, interactive: true };
    const handle = await workspace.start(start);
    for await (const _ of handle.output()) break;
    const [group, ...others] = groupsOfRuns();
    assert.deepEqual(others, []);
    const text = (file) => readFileSync(`${group}/${file}`, "utf8").trim();
    assert.deepEqual(
      [text("cpu.max"), text("memory.max"), text("pids.max")],
      ["25000 100000", String(limits.memoryBytes), "12"],
    );
    assert.notEqual(text("cgroup.procs"), "");
    await handle.endInput();
    assert.equal((await handle.result).treeEnded, true);
    assert.deepEqual(groupsOfRuns(), []);
  });
  await check("a run without limits cannot take more than half of the memory", async () => {
    const result = await ran(hog(1400));
    assert.notEqual(result.exitCode, 0);
    assert.ok(codes(result).includes("limit.memoryBytes-reached"), String(codes(result)));
  });
  await check("a run ends with everything that it started", async () => {
    const result = await ran("(setsid sleep 7654321 > /dev/null 2>&1 &); echo up");
    assert.deepEqual([result.exitCode, result.stdout.text, result.treeEnded], [0, "up\n", true]);
    assert.deepEqual([processesWith("sleep 7654321"), groupsOfRuns()], [[], []]);
  });
}
