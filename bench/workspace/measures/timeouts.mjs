import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { openHouse, temporaryDirectory } from "../house.mjs";
import { processShapes } from "../process-shapes.mjs";
import { processesWith } from "../processes-with.mjs";

const TIMEOUT_MS = 1000;
const rounds = 5;

/** The time from the start of a run with a timeout of 1 s until it settles, and the processes that are alive then. */
export default async function timeouts({ isolation }) {
  const { directory, remove } = temporaryDirectory();
  const { workspaces, close } = openHouse(directory, { isolation });
  const found = Object.fromEntries(
    Object.keys(processShapes).map((shape) => [
      shape,
      { ms: /** @type {number[]} */ ([]), survivors: 0, treeEnded: true, timedOut: true },
    ]),
  );
  try {
    const { id } = await workspaces.create();
    await workspaces.run(id, { command: "true" });
    for (let round = 0; round < rounds; round++)
      for (const [shape, command] of Object.entries(processShapes)) {
        const sleep = `sleep 30.${randomInt(1e9, 1e10)}`;
        const started = performance.now();
        const { timedOut, treeEnded } = await workspaces.run(id, {
          command: command(sleep),
          timeoutMs: TIMEOUT_MS,
        });
        found[shape].ms.push(performance.now() - started);
        found[shape].survivors += processesWith(sleep).length;
        found[shape].timedOut &&= timedOut;
        found[shape].treeEnded &&= treeEnded;
        await setTimeout(20);
      }
    return { isolation, rounds, shapes: found };
  } finally {
    await close();
    remove();
  }
}
