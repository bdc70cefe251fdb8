import { setTimeout } from "node:timers/promises";
import { untilSupervisorsEnd } from "../run/end-supervised.js";
import { isSupervised, notedSupervisor, tellSupervisor } from "./control-pipe.js";
import { directories } from "./record-place.js";

const MOST_PAUSES = 1000;

/** Ends all runs that are recorded below the directory. */
export async function endRecordedRuns(records: string): Promise<void> {
  const places = directories(records).flatMap(directories);
  const live = places.flatMap(directories).filter(isSupervised);
  for (const directory of live) tellSupervisor(directory, "end");
  await untilSupervisorsEnd(live.flatMap((directory) => notedSupervisor(directory) ?? []));
  // The host of a supervisor may have been killed before it noted which process that is.
  for (let pause = 0; pause < MOST_PAUSES && live.some(isSupervised); pause++) await setTimeout(2);
}
