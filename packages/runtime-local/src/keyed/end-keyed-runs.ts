import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isSupervised, signalSupervisor, tellSupervisor } from "./control-pipe.js";

const PATIENCE_MS = 2000;

/** Ends all runs that are recorded below the directory; a supervisor that still exists after 2 s is killed. */
export async function endKeyedRuns(keyed: string): Promise<void> {
  const live = entries(keyed)
    .flatMap((place) => entries(place))
    .filter(isSupervised);
  for (const directory of live) tellSupervisor(directory, "end");
  await untilEnded(live);
  for (const directory of live) if (isSupervised(directory)) signalSupervisor(directory, "SIGKILL");
  await untilEnded(live);
}

async function untilEnded(live: readonly string[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let left = live; left.length > 0 && performance.now() < deadline; left = left.filter(isSupervised)) {
    // A command without isolation may stop its supervisor at any time.
    for (const directory of left) signalSupervisor(directory, "SIGCONT");
    await setTimeout(2);
  }
}

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${directory}/${name}`);
  } catch {
    return [];
  }
}
