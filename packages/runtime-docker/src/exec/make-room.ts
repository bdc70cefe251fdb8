import type { WorkspaceContainer } from "../container/workspace-container.js";
import { isTooLate } from "../engine/engine-error.js";
import { holdToRuns } from "../run/container-limits.js";
import { changeLimits } from "./change-limits.js";

/** Processes that an engine itself needs briefly to start one in a container. */
const ROOM = 32;

export interface Room {
  /** Starts restoring the limit; the caller need not wait for it. */
  takeBack(): void;
}

/**
 * Raises a container's process limit slightly, so that a process can be started in it that ends the others. Where that
 * fails, the caller tries without.
 */
export async function makeRoom(container: WorkspaceContainer): Promise<Room> {
  try {
    const processes = await limitNow(container);
    await changeLimits(container, { processes: processes + ROOM });
    // Restored from what runs request now: another host may have started one meanwhile.
    const takeBack = () => void holdToRuns(container).catch(() => undefined);
    return { takeBack };
  } catch (error) {
    if (isTooLate(error)) throw error;
    return { takeBack: () => undefined };
  }
}

/** Podman reports the limit at creation. */
async function limitNow({ container, engine, limits }: WorkspaceContainer): Promise<number> {
  const look = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
  const { HostConfig } = await engine.call("Looking at the container's limits", look);
  return HostConfig.PidsLimit || limits.processes;
}
