import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { run } from "../../packages/core/dist/adapter.js";
import { groupsOfRuns, processesWith, until } from "./groups.mjs";

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
  await check("the result has the most memory and the CPU time that the run used", async () => {
    const limits = { memoryBytes: 128 * MEBIBYTE };
    const { peakMemoryBytes = 0, cpuMs = 0, durationMs } = await ran(hog(48), { limits });
    assert.ok(peakMemoryBytes > 48 * MEBIBYTE, `${peakMemoryBytes} bytes`);
    assert.ok(peakMemoryBytes <= limits.memoryBytes, `${peakMemoryBytes} bytes`);
    assert.ok(cpuMs > 0 && cpuMs < 2 * durationMs, `${cpuMs} of ${durationMs} ms`);
  });
  for (const key of [undefined, "call-1"])
    await check(
      `a run with too much memory is ended, and told of it${key ? ", with a key" : ""}`,
      async () => {
        const result = await ran(hog(100), { key, limits: { memoryBytes: 64 * MEBIBYTE } });
        assert.notEqual(result.exitCode, 0);
        assert.ok(codes(result).includes("limit.memoryBytes-reached"), String(codes(result)));
      },
    );
  await check(
    "a run that forks on and on stays within its limit of processes, and is told of it",
    async () => {
      const result = await ran(FORKS, { limits: { processes: 8 } });
      assert.notEqual(result.exitCode, 0);
      assert.ok(codes(result).includes("limit.processes-reached"), String(codes(result)));
    },
  );
  const groupFiles = async (/** @type {object} */ limits) => {
    const start = { ...command(), command: "echo up; read line", ...limits, interactive: true };
    const handle = await workspace.start(start);
    for await (const _ of handle.output()) break;
    const [group, ...others] = groupsOfRuns();
    assert.deepEqual(others, []);
    const text = (/** @type {string} */ file) => readFileSync(`${group}/${file}`, "utf8").trim();
    const files = ["cpu.max", "memory.max", "pids.max"].map(text);
    assert.notEqual(text("cgroup.procs"), "");
    await handle.endInput();
    assert.equal((await handle.result).treeEnded, true);
    assert.deepEqual(groupsOfRuns(), []);
    return files;
  };
  await check("the group of a run has all of its limits, and is removed with it", async () => {
    const limits = { memoryBytes: 64 * MEBIBYTE, processes: 10, cpu: 0.25 };
    assert.deepEqual(await groupFiles({ limits }), ["25000 100000", String(limits.memoryBytes), "12"]);
  });
  await check("a run without limits has one core, half of the memory and 256 processes", async () => {
    const [cpu, memory, processes] = await groupFiles({});
    assert.deepEqual([cpu, processes], ["100000 100000", "258"]);
    // The kernel counts in pages.
    assert.ok(Math.abs(Number(memory) - totalmem() / 2) <= 4096, memory);
  });
  await check("the end of a run kills every process in its group, also one of another run", async () => {
    const start = (/** @type {string} */ text) =>
      workspace.start({ ...command(), command: text, interactive: true });
    const other = await start("echo up; sh -c 'exec sleep 7654322'; echo ended $?");
    for await (const _ of other.output()) break;
    const [otherGroup] = groupsOfRuns();
    const ending = await start("echo up; read line");
    for await (const _ of ending.output()) break;
    const [group] = groupsOfRuns().filter((each) => each !== otherGroup);
    await until(() => processesWith("sleep 7654322").some(isSleep));
    const [pid] = processesWith("sleep 7654322").filter(isSleep);
    writeFileSync(`${group}/cgroup.procs`, String(pid));
    await ending.endInput();
    assert.equal((await ending.result).treeEnded, true);
    assert.equal((await other.result).stdout.text, "up\nended 137\n");
    assert.deepEqual(groupsOfRuns(), []);
  });
  await check("a run ends with everything that it started", async () => {
    const result = await ran("(setsid sleep 7654321 > /dev/null 2>&1 &); echo up");
    assert.deepEqual([result.exitCode, result.stdout.text, result.treeEnded], [0, "up\n", true]);
    assert.deepEqual([processesWith("sleep 7654321"), groupsOfRuns()], [[], []]);
  });
}

function isSleep(/** @type {number} */ pid) {
  return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";
}
