import { setTimeout } from "node:timers/promises";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { makeRoom, type Room } from "../exec/make-room.js";
import { runScript } from "../exec/run-script.js";
import { COUNTERS } from "./wrapper-script.js";

export type ContainerFate =
  | { readonly became: "stopped" | "removed" | "unknown" }
  /** With how often limits have been met in it by now. */
  | { readonly became: "living"; readonly counters: string };

const POLL_MS = 20;

/**
 * What became of a container in which a command was killed, to be asked after the command's end. A container whose first process has been
 * killed starts no process any more, but the engine says for a while that it runs; so it lives only when a process can be
 * started in it, and has ended only when the engine says so. `unknown` when the engine's deadline passes before either.
 *
 * @param startedAt When the container was last started before the command.
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
      // Other runs may have left no process to start.
      room ??= await makeRoom(container);
      await setTimeout(POLL_MS);
    }
  } catch {
    return { became: "unknown" };
  } finally {
    room?.takeBack();
  }
}

/** `undefined` where no process could be started. Root's, so that no command can end it. */
async function countersNow(container: WorkspaceContainer): Promise<string | undefined> {
  try {
    const script = `${COUNTERS}_sw_counters; echo "$_sw_seen"`;
    const { stdout } = await runScript(container, { script, as: "root", maxBytes: 1000, timeoutMs: 2000 });
    return Buffer.from(stdout).toString("latin1").trim() || undefined;
  } catch {
    return undefined;
  }
}
