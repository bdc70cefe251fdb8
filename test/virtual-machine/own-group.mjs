/** Checks the limits of runs of a host that may divide its own control group. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { localRuntime } from "../../packages/runtime-local/dist/index.js";
import { checks } from "../../scripts/checks.mjs";
import { groupsOfRuns, ownGroup, processesWith, until } from "./groups.mjs";
import { tryLimits } from "./try-limits.mjs";

const { check, close } = checks();
const before = ownGroup();
const runtime = localRuntime();
await tryLimits(check, runtime);
await check("the host is in a group below its own one", () =>
  assert.equal(ownGroup(), `${before.replace(/\/$/, "")}/host`),
);
await check(
  "the next host removes the group of a killed host, but not the group of a living host",
  async () => {
    const killed = await host("8765431");
    const [left, ...others] = groupsOfRuns();
    assert.deepEqual(others, []);
    killed.kill("SIGKILL");
    await until(() => processesWith("8765431").length === 0);
    assert.deepEqual(groupsOfRuns(), [left]);
    const living = await host("8765432");
    const [own, ...more] = groupsOfRuns();
    assert.deepEqual(more, []);
    assert.notEqual(own, left);
    const next = await host("8765433");
    assert.ok(groupsOfRuns().includes(own));
    assert.notDeepEqual(processesWith("8765432"), []);
    for (const each of [living, next]) each.kill("SIGKILL");
  },
);
await runtime.close();
close();

async function host(seconds) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("host.mjs", import.meta.url)), seconds]);
  await once(child.stdout, "data");
  return child;
}
