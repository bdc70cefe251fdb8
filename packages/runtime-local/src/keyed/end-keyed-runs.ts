import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { untilSupervisorsEnd } from "../run/end-supervised.js";
import { isSupervised, notedSupervisor, tellSupervisor } from "./control-pipe.js";

const MOST_PAUSES = 1000;

/** Ends all runs that are recorded below the directory. */
export async function endKeyedRuns(keyed: string): Promise<void> {
  const live = entries(keyed)
    .flatMap((place) => entries(place))
    .filter(isSupervised);
  for (const directory of live) tellSupervisor(directory, "end");
  await untilSupervisorsEnd(live.flatMap((directory) => notedSupervisor(directory) ?? []));
  // The host of a supervisor may have been killed before it noted which process that is.
  for (let pause = 0; pause < MOST_PAUSES && live.some(isSupervised); pause++) await setTimeout(2);
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
