import type { WorkspaceContainer } from "../container/workspace-container.js";
import { isTooLate } from "../engine/engine-error.js";
import { holdToRuns } from "../run/container-limits.js";
import { changeLimits } from "./change-limits.js";

/** What an engine itself needs for a moment to start a process in a container. */
const ROOM = 32;

export interface Room {
  /** Begins with it; whoever ended something has not to wait for it. */
  takeBack(): void;
}

/**
 * Lets a container have some more processes than its limit, so that one can be started in it that ends the others. Where that
 * cannot be done it is tried without.
 */
export async function makeRoom(container: WorkspaceContainer): Promise<Room> {
  try {
    const processes = await limitNow(container);
    await changeLimits(container, { processes: processes + ROOM });
    // By what runs ask for now: another host may have started one meanwhile.
    const takeBack = () => void holdToRuns(container).catch(() => undefined);
    return { takeBack };
  } catch (error) {
    if (isTooLate(error)) throw error;
    return { takeBack: () => undefined };
  }
}

/** Podman tells what it was made with. */
async function limitNow({ container, engine, limits }: WorkspaceContainer): Promise<number> {
  const look = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const { HostConfig } = await engine.call("Looking at the container's limits", look);
  return HostConfig.PidsLimit || limits.processes;
}
