import { setTimeout } from "node:timers/promises";
import { containerProcesses } from "../exec/container-processes.js";
import { endGroup } from "../exec/end-group.js";
import { isHostGone } from "./host-mark.js";
import { type RunningExec, runningExecs } from "./running-execs.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** Longer than a host needs to show its presence, even on a busy machine. */
const PATIENCE_MS = 4000;
const POLL_MS = 100;

/**
 * Ends commands that no caller is waiting for: the engine was restarted and lost track of what it had started in
 * containers that kept running, or the process that started them was killed. All others are left alone.
 * @param self The mark of this process's own runs.
 * @throws SkillError `BACKEND_FAILED`.
 */
export async function endLeftovers(container: WorkspaceContainer, self: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const all = await containerProcesses(container);
    if (typeof all === "string") return;
    const groups = new Set(
      all.flatMap(({ isRoot, group }) => (isRoot || Number.isNaN(group) ? [] : [group])),
    );
    if (groups.size === 0) return;
    // Queried after the processes were listed, so that everything started meanwhile counts as known.
    const execs = await runningExecs(container);
    if (!execs) return;
    const { forgotten, orphaned, alone } = sorted([...groups], execs, self);
    const isLate = performance.now() > deadline;
    for (const group of isLate ? [...forgotten, ...orphaned, ...alone] : [...forgotten, ...orphaned])
      await endGroup(container, { group, as: "run", mayEndAll: false });
    if (isLate || alone.length === 0) return;
    await setTimeout(POLL_MS);
  }
}

/**
 * Groups of processes without an exec, of runs whose host has ended on this machine, and of runs whose host shows no
 * presence.
 */
function sorted(
  groups: readonly number[],
  execs: readonly RunningExec[],
  self: string,
): Record<"forgotten" | "orphaned" | "alone", readonly number[]> {
  // An exec of a foreign program may have any group.
  const mayBeForeign = execs.some(({ group }) => group === undefined);
  const forgotten = mayBeForeign ? [] : groups.filter((one) => execs.every(({ group }) => group !== one));
  const shown = execs.flatMap(({ role, host }) => (role === "presence" && host ? [host] : []));
  const present = new Set([self, ...shown]);
  const lonely = execs.filter(({ role, host }) => role === "run" && host && !present.has(host));
  const groupsOf = (some: readonly RunningExec[]) =>
    some.flatMap(({ group }) => (group !== undefined && groups.includes(group) ? [group] : []));
  const isOrphan = ({ host }: RunningExec) => host !== undefined && isHostGone(host.split(".")[0] ?? "");
  return {
    forgotten,
    orphaned: groupsOf(lonely.filter(isOrphan)),
    alone: groupsOf(lonely.filter((exec) => !isOrphan(exec))),
  };
}
