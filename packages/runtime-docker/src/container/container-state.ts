import type { CallOptions } from "@skillwright/core";
import { statusOf } from "../engine/engine-error.js";
import type { WorkspaceContainer } from "./workspace-container.js";

export interface ContainerState {
  /** `removed` also for one that is being removed. */
  readonly now: "running" | "paused" | "stopped" | "removed";
  /** When it was last started, in the engine's words. */
  readonly startedAt?: string | undefined;
}

/**
 * As the engine knows it, which hears of a container's end a moment after its processes have ended.
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
