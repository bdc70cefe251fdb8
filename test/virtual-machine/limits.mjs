/** Checks the limits of runs of a host that systemd gives a scope. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { run } from "../../packages/core/dist/adapter.js";
import { localRuntime } from "../../packages/runtime-local/dist/index.js";
import { checks } from "../../scripts/checks.mjs";
import { groupsOfRuns, ownGroup, processesWith, until } from "./groups.mjs";
import { killHosts, startHost } from "./hosts.mjs";
import { tryLimits } from "./try-limits.mjs";

const { check, close } = checks();
const before = ownGroup();
const runtime = localRuntime();
await tryLimits(check, runtime);
await check("the host stays in its own group", () => assert.equal(ownGroup(), before));
await check(
  "after the process that starts runs was killed, the next run has a new scope and its limits",
  async () => {
    const [server] = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
    process.kill(Number(server), "SIGKILL");
    // When this process has reaped it, this process also knows that the connection has ended.
    await until(() => !existsSync(`/proc/${server}`));
    const workspace = await runtime.attach(`w-${process.pid}`);
    const command = { runId: "again", command: "head -c 100M /dev/zero | tail -c 100M", cwd: ".", env: {} };
    const limits = { memoryBytes: 64 * 1024 ** 2 };
    const result = await run(workspace, { ...command, limits, timeoutMs: 600_000, maxOutputBytes: 0 });
    const codes = result.diagnostics.map(({ code }) => code);
    assert.ok(codes.includes("limit.memoryBytes-reached"), String(codes));
  },
);
await check("nothing is left of a host that was killed", async () => {
  const host = await startHost("8765432");
  assert.equal(groupsOfRuns().length, 1);
  host.kill("SIGKILL");
  await until(() => processesWith("8765432").length === 0 && groupsOfRuns().length === 0);
});
await check(
  "a run with a key outlives its killed host until its lease has lapsed, and then nothing is left",
  async () => {
    const host = await startHost("8765433", 5000);
    host.kill("SIGKILL");
    await until(() => !existsSync(`/proc/${host.pid}`));
    assert.notDeepEqual(processesWith("8765433"), []);
    await until(() => processesWith("8765433").length === 0 && groupsOfRuns().length === 0);
  },
);
killHosts();
await runtime.close();
close();
