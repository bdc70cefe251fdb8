import type { CallOptions } from "@skillwright/core";
import { statusOf } from "../engine/engine-error.js";
import type { WorkspaceContainer } from "./workspace-container.js";

export interface ContainerState {
  /** `removed` also for one whose removal is in progress. */
  readonly now: "running" | "paused" | "stopped" | "removed";
  /** Time of the last start, in the engine's format. */
  readonly startedAt?: string | undefined;
}

/**
 * The state as the engine knows it; the engine learns of a container's end slightly after its processes have ended.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function containerState(
  { container, engine }: Pick<WorkspaceContainer, "container" | "engine">,
  options?: CallOptions,
): Promise<ContainerState> {
  try {
    const look = (abortSignal: AbortSignal) => container.inspect({ abortSignal });
    const { State } = await engine.call("Looking at the container", look, options);
    const { Running, Paused, Dead, Status, StartedAt: startedAt } = State;
    if (Dead || Status === "removing") return { now: "removed" };
    if (Paused) return { now: "paused", startedAt };
    return { now: Running ? "running" : "stopped", startedAt };
  } catch (error) {
    if (statusOf(error) === 404) return { now: "removed" };
    throw error;
  }
}
