/** Checks the limits of runs of a host that may divide its own control group. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { localRuntime } from "../../packages/runtime-local/dist/index.js";
import { checks } from "../../scripts/checks.mjs";
import { groupsOfRuns, ownGroup, processesWith, until } from "./groups.mjs";
import { killHosts, startHost } from "./hosts.mjs";
import { tryLimits } from "./try-limits.mjs";

const { check, close } = checks();
const before = ownGroup();
const runtime = localRuntime();
await tryLimits(check, runtime);
await check("the host is in a group below its own one", () =>
  assert.equal(ownGroup(), `${before.replace(/\/$/, "")}/host`),
);
await check(
  "a run with a key outlives its killed host until its lease has lapsed, and the next host removes its group, but not that of a living host",
  async () => {
    const killed = await startHost("8765431", 5000);
    const [left, ...others] = groupsOfRuns();
    assert.deepEqual(others, []);
    killed.kill("SIGKILL");
    await until(() => !existsSync(`/proc/${killed.pid}`));
    assert.notDeepEqual(processesWith("8765431"), []);
    await until(() => processesWith("8765431").length === 0);
    assert.deepEqual(groupsOfRuns(), [left]);
    const living = await startHost("8765432");
    const [own, ...more] = groupsOfRuns();
    assert.deepEqual(more, []);
    assert.notEqual(own, left);
    await startHost("8765433");
    assert.ok(groupsOfRuns().includes(own));
    assert.notDeepEqual(processesWith("8765432"), []);
    assert.equal(living.exitCode, null);
  },
);
killHosts();
await runtime.close();
close();
