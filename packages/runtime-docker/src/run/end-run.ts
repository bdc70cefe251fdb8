import type { Diagnostic } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import type { EngineClient } from "../engine/engine-client.js";
import { isTooLate } from "../engine/engine-error.js";
import { endGroup, type GroupEnd } from "../exec/end-group.js";
import { restartContainer } from "./restart-container.js";
import { containerRestarted, treeLeft } from "./run-diagnostics.js";

export interface TreeEnd {
  readonly end: GroupEnd | "unknown";
  readonly diagnostics: readonly Diagnostic[];
}

export interface TreeEnding {
  readonly group: number;
  /** True where other commands run in the container. */
  readonly hasOthers: () => boolean;
  /** The engine with a short deadline, because an engine that hangs must not delay the run's result. */
  readonly soon: EngineClient;
}

/**
 * Ends the remaining processes of a run, as a last resort by restarting the container. Reports what could not be done.
 */
export async function endTree(
  container: WorkspaceContainer,
  { group, hasOthers, soon }: TreeEnding,
): Promise<TreeEnd> {
  try {
    const request = { group, as: "run", mayEndAll: !hasOthers() } as const;
    const first = () => endGroup({ ...container, engine: soon }, request);
    // The connection that broke under the command may be that of the first call.
    const end = await first().catch((error: unknown) => {
      if (isTooLate(error)) throw error;
      return first();
    });
    if (end !== "left") return { end, diagnostics: [] };
    // The engine answers, and a started restart must not be left unfinished.
    await restartContainer(container);
    const afterwards = await endGroup(container, request);
    if (afterwards !== "left") return { end: afterwards, diagnostics: [containerRestarted()] };
    return { end: "left", diagnostics: [treeLeft("some of them were still there after they were killed")] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { end: "unknown", diagnostics: [treeLeft(`the engine could not be asked (${why})`)] };
  }
}
