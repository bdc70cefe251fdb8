import { spawn } from "node:child_process";
import { once } from "node:events";

/** One sleep of a process, in milliseconds. */
const SLEEP = 100;
/** What a run does one after another, each as late as a sleep's end may be: start, time-out, kill, and what it left. */
const STEPS = 4;

/**
 * Gives what the work gives, and by how many milliseconds the machine may have been late with it meanwhile: the longest
 * that a process which sleeps for 100 ms took beyond them, for each of the steps of a run. Some ten on an idle machine.
 */
export async function withLateness<T>(work: () => Promise<T>): Promise<{ result: T; lateMs: number }> {
  let longest = 0;
  let isOver = false;
  const pace = async (): Promise<void> => {
    while (!isOver) {
      const started = performance.now();
      await once(spawn("sleep", [String(SLEEP / 1000)], { stdio: "ignore" }), "close");
      longest = Math.max(longest, performance.now() - started - SLEEP);
    }
  };
  const pacing = pace();
  try {
    const result = await work();
    isOver = true;
    // The last sleep counts as well.
    await pacing;
    return { result, lateMs: STEPS * longest };
  } finally {
    isOver = true;
  }
}
