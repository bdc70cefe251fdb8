import { readdirSync, statSync } from "node:fs";

/**
 * Tells whether the PID namespace of this process has at least so many threads at one moment. A thread counts when two
 * looks one after the other both find it, so that no thread that began after another had ended counts beside it.
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

/** False while the process still sees what this one sees, as before its sandbox is complete, and when it is gone. */
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
