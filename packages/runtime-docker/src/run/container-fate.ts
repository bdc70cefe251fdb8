import { setTimeout } from "node:timers/promises";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { makeRoom, type Room } from "../exec/make-room.js";
import { runScript } from "../exec/run-script.js";
import { COUNTERS } from "./wrapper-script.js";

export type ContainerFate =
  | { readonly became: "stopped" | "removed" | "unknown" }
  /** Includes the current counters of reached limits. */
  | { readonly became: "living"; readonly counters: string };

const POLL_MS = 20;

/**
 * Determines the state of a container in which a command was killed; call it after the command's end. A container whose
 * first process was killed starts no process any more, but the engine still reports it as running for a while. So it is
 * alive only when a process can be started in it, and has ended only when the engine says so. `unknown` when the
 * engine's deadline passes before either.
 *
 * @param startedAt Time of the container's last start before the command.
 */
export async function containerFate(
  container: WorkspaceContainer,
  startedAt: string | undefined,
): Promise<ContainerFate> {
  let room: Room | undefined;
  try {
    for (;;) {
      const counters = await countersNow(container);
      const state = await containerState(container);
      if (state.now === "stopped" || state.now === "removed") return { became: state.now };
      if (startedAt !== undefined && state.startedAt !== startedAt) return { became: "stopped" };
      if (counters !== undefined) return { became: "living", counters };
      if (state.now === "paused") await container.ready();
      // Other runs may have used up all processes.
      room ??= await makeRoom(container);
      await setTimeout(POLL_MS);
    }
  } catch {
    return { became: "unknown" };
  } finally {
    room?.takeBack();
  }
}

/** `undefined` where no process could be started. Runs as root, so that no command can end it. */
async function countersNow(container: WorkspaceContainer): Promise<string | undefined> {
  try {
    const script = `${COUNTERS}_sw_counters; echo "$_sw_seen"`;
    const { stdout } = await runScript(container, { script, as: "root", maxBytes: 1000, timeoutMs: 2000 });
    return Buffer.from(stdout).toString("latin1").trim() || undefined;
  } catch {
    return undefined;
  }
}
