import { setTimeout } from "node:timers/promises";
import { bareSpawn, bubblewrapOf, shellOf } from "../bare-spawn.mjs";
import { openHouse, temporaryDirectory } from "../house.mjs";
import { recordedSpawns } from "../recorded-spawns.mjs";

const GIBIBYTE = 1024 ** 3;
const runs = 30;

/** The longest gap of the event loop of this process with 1 GiB resident: idle, during bare spawns, during runs. */
export default async function resident({ isolation }) {
  const { directory, remove } = temporaryDirectory();
  const { workspaces, close } = openHouse(directory, { isolation });
  try {
    const { id } = await workspaces.create();
    const run = () => workspaces.run(id, { command: "true" });
    const recorded = (await recordedSpawns(run)).at(-1);
    const bare = isolation === "none" ? shellOf(recorded) : bubblewrapOf(recorded);
    const small = await gaps(() => repeat(run));
    const held = Array.from({ length: 16 }, () => Buffer.alloc(GIBIBYTE / 16, 1));
    const found = {
      isolation,
      runs,
      small,
      idle: await gaps(() => setTimeout(500)),
      bare: await gaps(() => repeat(() => bareSpawn(bare))),
      ours: await gaps(() => repeat(run)),
      atOnce: await gaps(() => Promise.all(Array.from({ length: runs }, run))),
    };
    return { ...found, heldBytes: held.length * (GIBIBYTE / 16) };
  } finally {
    await close();
    remove();
  }
}

async function repeat(work) {
  for (let turn = 0; turn < runs; turn++) await work();
}

/** Milliseconds between two turns of the event loop during the work, the longest for each run. */
async function gaps(work) {
  const found = [];
  let last = performance.now();
  let isOver = false;
  const look = () => {
    const now = performance.now();
    found.push(now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return found.sort((a, b) => b - a).slice(0, runs);
}
