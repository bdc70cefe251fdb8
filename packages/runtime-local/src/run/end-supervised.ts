import { setTimeout } from "node:timers/promises";
import { isRunning, type ProcessIdentity, signalProcess } from "../host/process-identity.js";
import { descendantsOf } from "../host/process-tree.js";
import { resumingSupervisor } from "./resume-supervisor.js";

const PAUSE_MS = 2;
/** Pauses are counted, because a machine that stalls gives a supervisor no time either. Together they take 2 s at least. */
const MOST_PAUSES = 1000;
const PAUSES_PER_RESUME = 20;

/**
 * Waits until the supervisors, which were asked to end their runs, are gone: they exit when the last process of their run is dead. One
 * that still exists after 2 s is killed with its tree, whose end is then seen here.
 */
export async function untilSupervisorsEnd(supervisors: readonly ProcessIdentity[]): Promise<void> {
  const resumes = supervisors.map((each) => resumingSupervisor(() => each));
  await untilGone(supervisors, () => {
    for (const resume of resumes) resume();
  });
  const left = supervisors.filter(isRunning);
  const trees = left.flatMap(({ pid }) => descendantsOf(pid));
  for (const each of [...left, ...trees]) signalProcess(each, "SIGKILL");
  await untilGone([...left, ...trees]);
}

async function untilGone(processes: readonly ProcessIdentity[], resume?: () => void): Promise<void> {
  for (let pause = 0; pause < MOST_PAUSES && processes.some(isRunning); pause++) {
    if (pause % PAUSES_PER_RESUME === 0) resume?.();
    await setTimeout(PAUSE_MS);
  }
}
