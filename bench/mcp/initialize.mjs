import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median } from "../format/statistics.mjs";
import { alternate } from "../workspace/alternate.mjs";
import { startedCommand } from "./started-command.mjs";

const EMPTY = fileURLToPath(new URL("empty-server.mjs", import.meta.url));

/** From the start of the process to its answer to `initialize`: the built command beside an empty server of the SDK, in turns. */
export async function measure(/** @type {string} */ place) {
  const home = `${place}/initialize`;
  mkdirSync(home);
  const times = await alternate(
    { own: () => untilAnswer(home), empty: () => untilAnswer(home, [EMPTY]) },
    { warmUp: 2, rounds: 15 },
  );
  const [own, empty] = [median(times.own), median(times.empty)];
  return `${(own / empty).toFixed(2)} times (${own.toFixed(0)} ms, empty ${empty.toFixed(0)} ms)`;
}

async function untilAnswer(home, argv) {
  const started = performance.now();
  const { client, end } = startedCommand(home, argv);
  await client.initialize();
  const milliseconds = performance.now() - started;
  await end();
  return milliseconds;
}
