import { durationMs } from "./duration-ms.js";

/** When something is done with a workspace, and what. Plain data. */
export interface WorkspacePolicy {
  /** Nothing was called on it for this many milliseconds. A call in progress, such as a run, counts as use. */
  readonly whenIdleForMs: number;
  readonly action: "destroy";
}

/**
 * Destroys workspaces that this process made or used and that were idle for that long: `destroyWhenIdle("15m")`.
 * @throws SkillError `CONFIG_INVALID` for a text that is no duration.
 */
export function destroyWhenIdle(duration: string | number): WorkspacePolicy {
  return { whenIdleForMs: durationMs(duration), action: "destroy" };
}
