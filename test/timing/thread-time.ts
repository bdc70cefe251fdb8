import { readFileSync } from "node:fs";

/**
 * Milliseconds of processor time that this thread has taken so far: what it does, and not how long it waits for a
 * processor. Where the system does not tell (it is Linux that does) it is the time of the whole process.
 */
export function threadTime(): number {
  try {
    // See proc(5): nanoseconds on a processor, nanoseconds spent waiting for one, and turns.
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
