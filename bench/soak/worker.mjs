import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { machineTime } from "./ledger.mjs";
import { operations } from "./operations.mjs";

/** Mostly runs and uploads; all operations are frequent enough to meet each other. */
const shares = [
  ["run", 0.34],
  ["upload", 0.3],
  ["collect", 0.12],
  ["make", 0.07],
  ["alone", 0.06],
  ["look", 0.05],
  ["destroy", 0.06],
];

/** Performs random operations one after the other, each logged before it begins and when it was acknowledged. */
export async function worker({ name, random, house, ledger, state, tag }) {
  const own = { saved: [], ids: new Map() };
  for (let turn = 0; !state.stopping; turn++) {
    const kind = random.shared(shares);
    const step = stepper({ name: `${name}-${turn}`, ledger, state });
    await operations[kind]({ random, house, own, step, tag, bytesFor: bytesOf(random) });
    if (random.chance(0.1)) await setTimeout(random.pick([1, 5, 20]));
  }
}

/** Performs one step of an operation: logs `begun` before, and the result of `work` or its error after. */
function stepper({ name, ledger, state }) {
  let count = 0;
  return async (kind, begun, work) => {
    const key = `${name}-${count++}`;
    ledger.write({ key, kind, ...begun, begin: machineTime() });
    let ended;
    try {
      ended = await work(key);
    } catch (/** @type {any} */ error) {
      ended = {
        error: error?.code ?? error?.name ?? "thrown",
        message: String(error?.message ?? error).slice(0, 400),
      };
    }
    ledger.write({ key, end: machineTime(), ...ended });
    const shown = ended?.error ? `${kind}: ${ended.error}` : kind;
    state.done[shown] = (state.done[shown] ?? 0) + 1;
    return ended;
  };
}

/** Content that is unique to an upload, mostly of a small size. */
function bytesOf(random) {
  return (key) => {
    const size = random.chance(0.02) ? 4 * 1024 * 1024 : random.logNormal(8, 2, 0, 512 * 1024);
    const bytes = Buffer.concat([Buffer.from(`${key}\n`), Buffer.alloc(size, key)]);
    return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
}
