import { processShapes } from "../workspace/process-shapes.mjs";
import { bareEngine, containerOf, openWorkspaces, plainCommand, run } from "./parts.mjs";

const TIMEOUT_MS = 1000;

/** A timeout of one second against process trees of six shapes: when the run settled, and which processes were left. */
export default async function timeouts(place) {
  const house = openWorkspaces(place, {});
  try {
    const { id } = await house.workspaces.create();
    const workspace = await house.runtime.attach(id);
    const container = await containerOf(bareEngine(place), house.namespace);
    const late = [];
    let survivors = 0;
    for (const command of Object.values(processShapes).map((shape) => shape("sleep 300"))) {
      for (let turn = 0; turn < 3; turn++) {
        const started = performance.now();
        const { timedOut } = await run(workspace, plainCommand(command, { timeoutMs: TIMEOUT_MS }));
        late.push(performance.now() - started - TIMEOUT_MS);
        if (!timedOut) throw new Error(`no timeout: ${command}`);
        // Processes of root are ours: the container's own, and the one that marks a waiting host.
        const { Processes } = await container.top({ ps_args: "-eo pid,uid" });
        survivors += Processes.filter(([, uid]) => uid !== "0").length;
      }
    }
    const most = Math.max(...late);
    const more = [
      {
        what: "a timeout settles within 300 ms",
        measured: `${most.toFixed(0)} ms at most`,
        met: most <= 300,
      },
      { what: "no survivor, six shapes", measured: String(survivors), met: survivors === 0 },
    ];
    return { times: { "after a timeout of 1 s, until it settled": late }, ratios: [], more };
  } finally {
    await house.close();
  }
}
