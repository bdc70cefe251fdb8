import { type CallOptions, type RunLimits, SkillError } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { CHANGEABLE_LIMITS, type ChangeableLimits, changeLimits } from "../exec/change-limits.js";
import { containerProcesses } from "../exec/container-processes.js";

/** The wrapper around a command, which is none of the command's processes. */
const WRAPPERS = 1;

/**
 * Holds the container to the strictest of what it was made with and of what its runs in progress ask for. It stays so until
 * a run starts that asks for less. Costs a call only where something changes. To be done in turn.
 * @throws SkillError `LIMIT_EXCEEDED` where more memory is in use than a run is to have, `BACKEND_FAILED`.
 */
export async function holdToLimits(
  container: WorkspaceContainer,
  inForce: Partial<ChangeableLimits> | undefined,
  { asked, signal }: CallOptions & { asked: readonly RunLimits[] },
): Promise<void> {
  const strictest = await wanted(container, asked, { signal });
  if (inForce && CHANGEABLE_LIMITS.every((limit) => strictest[limit] === inForce[limit])) return;
  try {
    await changeLimits(container, strictest, { signal });
  } catch (error) {
    if (statusOf(error) === undefined || strictest.memoryBytes === container.limits.memoryBytes) throw error;
    throw cannotHold(strictest.memoryBytes, error);
  }
}

/** As the engine tells it; Podman tells what was in force when the container was made. */
export function limitsInForce(
  { engine }: WorkspaceContainer,
  { Memory, NanoCpus, PidsLimit }: Dockerode.HostConfig,
): Partial<ChangeableLimits> | undefined {
  if (engine.isPodman) return undefined;
  return { memoryBytes: Memory ?? 0, cpu: (NanoCpus ?? 0) / 1e9, processes: PidsLimit ?? 0 };
}

async function wanted(
  container: WorkspaceContainer,
  asked: readonly RunLimits[],
  options: CallOptions,
): Promise<ChangeableLimits> {
  const { limits: made } = container;
  const [memoryBytes = 0, cpu = 0, processes = 0] = CHANGEABLE_LIMITS.map((limit) =>
    Math.min(made[limit], ...asked.map((limits) => limits[limit] ?? made[limit])),
  );
  if (processes === made.processes) return { memoryBytes, cpu, processes };
  const own = WRAPPERS + (await ownProcesses(container, options));
  return { memoryBytes, cpu, processes: Math.min(made.processes, processes + own) };
}

/** Those that keep the container alive. */
async function ownProcesses(container: WorkspaceContainer, options: CallOptions): Promise<number> {
  const all = await containerProcesses(container, options);
  return typeof all === "string" ? 0 : all.filter(({ isRoot }) => isRoot).length;
}

function cannotHold(memoryBytes: number, cause: unknown): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The run cannot be held to ${memoryBytes} bytes of memory, as more is in use already; what commands wrote into a ` +
      "workspace that is kept in memory counts. Raise memoryBytes, remove files, or keep workspaces on disk.",
    { cause, details: { limit: memoryBytes } },
  );
}
