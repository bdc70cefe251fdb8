/**
 * One process of the soak: some workers over one manager, until it is told to stop or is killed. Operations and
 * acknowledgements are written to its ledger; counts are sent to the parent.
 */
import { readdirSync } from "node:fs";
import { seededRandom } from "../format/random.mjs";
import { openLedger } from "./ledger.mjs";
import { openSoakHouse } from "./soak-house.mjs";
import { worker } from "./worker.mjs";

const { directory, seed, name, workers, tag } = JSON.parse(process.env.SOAK ?? "");
const ledger = openLedger(`${directory}/ledgers/${name}.jsonl`);
const told = new Map();
const onDiagnostic = ({ code }) => told.set(code, (told.get(code) ?? 0) + 1);
const house = openSoakHouse(directory, { onDiagnostic });
const state = { stopping: false, done: {} };

process.on("unhandledRejection", (/** @type {any} */ error) => {
  process.send?.({ crash: String(error?.stack ?? error) });
  process.exit(3);
});
process.on("disconnect", () => process.exit(4)); // The parent is gone.
process.on("message", () => {
  state.stopping = true;
});
const beat = setInterval(() => process.send?.({ done: state.done }), 1000);
await Promise.all(
  Array.from({ length: workers }, (_, index) =>
    worker({
      name: `${name}-${index}`,
      random: seededRandom(seed * 1000 + index),
      house,
      ledger,
      state,
      tag,
    }),
  ),
);
clearInterval(beat);
await house.close();
process.send?.(
  { done: state.done, told: Object.fromEntries(told), stopped: true, descriptors: openDescriptors() },
  () => process.exit(0),
);

function openDescriptors() {
  return readdirSync("/proc/self/fd").length;
}
