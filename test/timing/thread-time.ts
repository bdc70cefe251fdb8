import { readFileSync } from "node:fs";

/**
 * Milliseconds of processor time that this thread has used so far, which excludes waiting for a processor.
 * On systems that do not report it (all except Linux) it is the time of the whole process.
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
