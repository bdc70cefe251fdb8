import type { CallOptions } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import type { ExecRequest } from "./container-exec.js";
import { containerProcesses } from "./container-processes.js";
import { END_GROUP } from "./end-group-script.js";
import { makeRoom, type Room } from "./make-room.js";
import { shellArguments } from "./shell-arguments.js";
import { startExec } from "./start-exec.js";

/** Enough for a busy engine and a stubborn tree. */
const ENDING_MS = 1500;
const ATTEMPTS = 5;
/** With more processes than this, a shell that checks each of them gets too small a share of the CPU. */
const MANY = 16;
const ATTEMPT_MS = 1000;

export interface EndGroupOptions {
  readonly group: number;
  /** The user that owns the processes. */
  readonly as: ExecRequest["as"];
  /**
   * Allows ending all of the user's processes at once where it sees none of another group; nothing can escape that.
   * Another command that starts at that moment would be ended too.
   */
  readonly mayEndAll: boolean;
}

/** `stopped` and `removed` describe the whole container, and with it all its processes. */
export type GroupEnd = "ended" | "left" | "stopped" | "removed";

/**
 * Ends every process of the group, however it detached itself, even where no process can be started, and verifies from
 * outside that none is left. `left` when processes remained after several attempts and 1.5 s.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function endGroup(
  container: WorkspaceContainer,
  { group, as, mayEndAll }: EndGroupOptions,
  options: CallOptions = {},
): Promise<GroupEnd> {
  const deadline = performance.now() + ENDING_MS;
  let room: Room | undefined;
  try {
    for (let attempt = 0; ; attempt++) {
      const all = await containerProcesses(container, options);
      if (typeof all === "string") return all;
      const members = all.filter((process) => process.group === group);
      if (members.length === 0) return "ended";
      if (attempt >= ATTEMPTS && performance.now() > deadline) return "left";
      const isCrowded = attempt > 0 || members.length > MANY;
      if (isCrowded) room ??= await makeRoom(container);
      const alone = as === "run" && all.every(({ isRoot, group: other }) => isRoot || other === group);
      const script = mayEndAll && alone && isCrowded ? "kill -KILL -1" : `${END_GROUP}end_group "$1"`;
      await attemptWith(container, script, { group, as }).catch(() => checkAborted(options.signal));
    }
  } finally {
    room?.takeBack();
  }
}

/** Success is verified from outside. The container may have been paused meanwhile, which its processes survive. */
async function attemptWith(
  container: WorkspaceContainer,
  script: string,
  { group, as }: Pick<EndGroupOptions, "group" | "as">,
): Promise<void> {
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  await container.ready({ signal });
  const argv = [
    container.shell,
    ...shellArguments(container),
    "-c",
    script,
    "skillwright",
    `${group}`,
  ] as const;
  const exec = await startExec(container, { argv, as }, { signal });
  const close = () => exec.close();
  signal.addEventListener("abort", close, { once: true });
  for await (const _ of exec.output);
  signal.removeEventListener("abort", close);
}
