import { rmSync } from "node:fs";
import { bareSpawn, bubblewrapOf } from "../bare-spawn.mjs";
import { openHouse, plainCommand, run, temporaryDirectory } from "../house.mjs";
import { recordedSpawns } from "../recorded-spawns.mjs";

/**
 * The first run of this process, the code of which is loaded: from opening the runtime to the result, or with `recorded`
 * the start of bubblewrap alone. With `records` the start is returned for others, whose workspace stays until `removes`.
 */
export default async function firstRun({ records, recorded, removes }) {
  if (removes) {
    rmSync(removes, { recursive: true, force: true });
    return {};
  }
  if (recorded) return await timed(() => bareSpawn({ ...recorded, given: Buffer.from(recorded.given) }));
  const { directory, remove } = temporaryDirectory();
  const first = async () => {
    const { runtime } = openHouse(directory);
    await run(await runtime.create("first"), plainCommand("true"));
  };
  if (!records) return await timed(first).finally(remove);
  const start = bubblewrapOf((await recordedSpawns(first)).at(-1));
  return { directory, recorded: { ...start, given: start.given.toString() } };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return { ms: performance.now() - started };
}
