import { readdirSync, statSync } from "node:fs";

/**
 * True where the PID namespace of this process has at least that many threads at one moment. A thread counts when two
 * consecutive checks both find it, so that a thread that ended and a later one are not both counted.
 */
export function hasThreads(pid: number, least: number): boolean {
  try {
    const proc = `/proc/${pid}/root/proc`;
    const found = readdirSync(proc)
      .filter((name) => /^\d+$/.test(name))
      .flatMap((process) => threadsOf(`${proc}/${process}/task`));
    if (found.length < least) return false;
    return found.filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined).length >= least;
  } catch {
    // The run is over.
    return false;
  }
}

/**
 * False while the process still sees the same processes as this one, as before its sandbox is complete, and when it has
 * ended.
 */
export function hasOwnProc(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}/root/proc`).dev !== statSync("/proc").dev;
  } catch {
    return false;
  }
}

function threadsOf(tasks: string): readonly string[] {
  try {
    return readdirSync(tasks).map((thread) => `${tasks}/${thread}`);
  } catch {
    return [];
  }
}
