import { setTimeout } from "node:timers/promises";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { type EndGroupOptions, endGroup } from "./end-group.js";
import type { PreparedExec } from "./start-exec.js";

/** Does not wait longer for an engine that hangs. */
const ENDING_MS = 2000;

/** Ends what was started or is about to start, for a caller that has another error to report. */
export async function endStarted(
  container: WorkspaceContainer,
  exec: Pick<PreparedExec, "settled">,
  which: Pick<EndGroupOptions, "group" | "as">,
): Promise<void> {
  const ending = exec
    .settled()
    .then(async () => await endGroup(container, { ...which, mayEndAll: false }))
    .catch(() => undefined);
  await Promise.race([ending, setTimeout(ENDING_MS, undefined, { ref: false })]);
}
