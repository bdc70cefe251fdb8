import type { Diagnostic } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runScript } from "../exec/run-script.js";
import type { Launch } from "./launch.js";
import { memoryReached, processesReached } from "./run-diagnostics.js";
import { COUNTERS } from "./wrapper-script.js";

/**
 * Which limits the container met while the command ran: as the wrapper says or, where it may have been ended itself, by a
 * look of our own.
 * @param line The wrapper's last.
 */
export async function metLimits(
  container: WorkspaceContainer,
  { counters }: Pick<Launch, "counters">,
  exitCode: number,
  line: string | undefined,
): Promise<readonly Diagnostic[]> {
  const counted =
    line?.match(/^counted (.*)$/)?.[1] ?? (exitCode === 137 ? await countersNow(container) : counters);
  const [before, after] = [counters, counted].map((text) => text.split(" ").map(Number));
  const rose = (index: number) => (after?.[index] ?? 0) > (before?.[index] ?? 0);
  return [...(rose(0) ? [memoryReached()] : []), ...(rose(1) ? [processesReached()] : [])];
}

async function countersNow(container: WorkspaceContainer): Promise<string> {
  try {
    const script = `${COUNTERS}_sw_counters; echo "$_sw_seen"`;
    const { stdout } = await runScript(container, { script, as: "run", maxBytes: 1000, timeoutMs: 2000 });
    return Buffer.from(stdout).toString("latin1").trim();
  } catch {
    // The container is gone; then that is told.
    return "";
  }
}
