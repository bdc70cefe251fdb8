import { setTimeout } from "node:timers/promises";
import { openHouse, temporaryDirectory, workspace } from "../house.mjs";
import { inParallel } from "../in-parallel.mjs";
import { peakMemory } from "../peak-memory.mjs";
import { treeSize } from "../tree-size.mjs";
import { writeSkill } from "../write-skill.mjs";

const IDLE_SECONDS = 3600;
const GIVE_UP_MS = 120_000;

/**
 * Many workspaces open at once, each with an upload, a staged skill and a run; then the clock advances by the idle time, and
 * the policy must remove them all.
 */
export default async function manyWorkspaces({ isolation, count, registry }) {
  const { directory, remove } = temporaryDirectory();
  writeSkill(directory, "small", { "scripts/count.sh": 'wc -c < "$1"\n' });
  const clock = shiftedClock();
  const policies = [workspace.destroyWhenIdle(`${IDLE_SECONDS}s`)];
  const said = [];
  const onDiagnostic = (diagnostic) => said.push(diagnostic);
  const house = openHouse(directory, {
    isolation,
    registry,
    clock,
    policies,
    policyInterval: "1s",
    onDiagnostic,
  });
  const { workspaces, runtime, content } = house;
  try {
    const first = await workspaces.create();
    await used(workspaces, first.id);
    await workspaces.destroy(first.id);
    const before = treeSize(directory);
    const started = performance.now();
    const { result, more } = await peakMemory(async () => {
      const made = await inParallel(Array.from({ length: count }), 8, () => workspaces.create());
      const madeMs = performance.now() - started;
      await inParallel(made, 4, ({ id }) => used(workspaces, id));
      return { madeMs, usedMs: performance.now() - started - madeMs };
    });
    const open = (await runtime.list()).length;
    const peak = treeSize(directory);
    clock.forward(IDLE_SECONDS * 1000 + 1000);
    const idleFrom = performance.now();
    // The policies look at the clock once here; in production a timer does it.
    await workspaces.sweep();
    while ((await runtime.list()).length > 0 && performance.now() - idleFrom < GIVE_UP_MS)
      await setTimeout(100);
    const policyMs = performance.now() - idleFrom;
    await content.collect(() => false);
    return {
      isolation,
      registry,
      count,
      open,
      more,
      ...result,
      policyMs,
      before,
      peak,
      after: treeSize(directory),
      said: said.slice(0, 3),
    };
  } finally {
    await house.close();
    remove();
  }
}

async function used(workspaces, id) {
  await workspaces.upload(id, "orders.csv", "a,b\n1,2\n".repeat(512));
  const { exitCode, stdout } = await workspaces.run(id, {
    skill: "small",
    command: "bash scripts/count.sh inputs/orders.csv > out/count.txt && cat out/count.txt",
  });
  if (exitCode !== 0 || stdout.text.trim() !== "4096")
    throw new Error(`the run in ${id} ended with ${exitCode}`);
}

function shiftedClock() {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    forward: (ms) => {
      ahead += ms;
    },
  };
}
