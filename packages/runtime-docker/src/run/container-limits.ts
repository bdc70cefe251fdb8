import { type CallOptions, type RunLimits, SkillError } from "@skillwright/core";
import type Dockerode from "dockerode";
import { inspectContainer } from "../container/found-container.js";
import { inLimitsTurn } from "../container/limits-turn.js";
import { runningExecs } from "../container/running-execs.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { CHANGEABLE_LIMITS, type ChangeableLimits, changeLimits } from "../exec/change-limits.js";
import { containerProcesses } from "../exec/container-processes.js";

export interface LimitedStart {
  /** What the run asks for. */
  readonly own: RunLimits;
  /** As the container was seen before. */
  readonly seen: Dockerode.HostConfig;
  /** Does the work after what other runs of this process do in turn. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Starts a run while the container is held to the strictest of what it was made with and of what the runs in progress ask
 * for, those of other hosts included. A run that asks for less, and one that finds the container held to less, waits for its
 * turn to see to that; for others it costs nothing.
 * @throws SkillError `LIMIT_EXCEEDED` where more memory is in use than a run is to have, or no process can be started,
 *   `BACKEND_FAILED`, and whatever `start` throws.
 */
export async function startHeld<T>(
  container: WorkspaceContainer,
  { own, seen, inTurn }: LimitedStart,
  start: () => Promise<T>,
  options: CallOptions,
): Promise<T> {
  const inForce = limitsInForce(container, seen);
  const isHeldToLess = inForce !== undefined && !isInForce(container.limits, inForce);
  if (!asksForLess(container, own) && !isHeldToLess) return await start();
  const work = async () => {
    await hold(container, own, options);
    return await start();
  };
  return await inTurn(() => inLimitsTurn(container, work, options));
}

/** After a run that asked for less, as `giveBackUnseen`. */
export async function giveBack(container: WorkspaceContainer, own: RunLimits): Promise<void> {
  if (asksForLess(container, own)) await giveBackUnseen(container);
}

/**
 * Holds the container to what the runs in progress ask for, where the engine does not tell what is in force: the next run
 * could not know that it is held to less. What fails leaves it so until a run with limits starts or somebody attaches.
 */
export async function giveBackUnseen(container: WorkspaceContainer): Promise<void> {
  if (container.engine.isPodman) await holdToRuns(container).catch(() => undefined);
}

function asksForLess({ limits: made }: WorkspaceContainer, own: RunLimits): boolean {
  return CHANGEABLE_LIMITS.some((limit) => (own[limit] ?? made[limit]) < made[limit]);
}

/** Holds the container to what the runs in progress ask for. @throws SkillError `BACKEND_FAILED`, `LIMIT_EXCEEDED`. */
export async function holdToRuns(container: WorkspaceContainer): Promise<void> {
  await inLimitsTurn(container, () => hold(container, {}, {}));
}

async function hold(container: WorkspaceContainer, own: RunLimits, options: CallOptions): Promise<void> {
  const info = await inspectContainer(container.engine, container.container.id, options);
  const execs = (await runningExecs(container, options)) ?? [];
  const runs = [own, ...execs.flatMap(({ role, limits }) => (role === "run" ? [limits] : []))];
  const strictest = await wanted(container, runs, options);
  const inForce = info && limitsInForce(container, info.HostConfig);
  if (inForce && isInForce(strictest, inForce)) return;
  try {
    await changeLimits(container, strictest, options);
  } catch (error) {
    if (statusOf(error) === undefined || strictest.memoryBytes === container.limits.memoryBytes) throw error;
    throw cannotHold(strictest.memoryBytes, error);
  }
}

function isInForce(limits: ChangeableLimits, inForce: ChangeableLimits): boolean {
  return CHANGEABLE_LIMITS.every((limit) => limits[limit] === inForce[limit]);
}

/** As the engine tells it; Podman tells what was in force when the container was made. */
function limitsInForce(
  { engine }: WorkspaceContainer,
  { Memory, NanoCpus, PidsLimit }: Dockerode.HostConfig,
): ChangeableLimits | undefined {
  if (engine.isPodman) return undefined;
  return { memoryBytes: Memory ?? 0, cpu: (NanoCpus ?? 0) / 1e9, processes: PidsLimit ?? 0 };
}

/** What keeps the container, stands for hosts and stands around commands is none of a run's processes. */
async function wanted(
  container: WorkspaceContainer,
  runs: readonly RunLimits[],
  options: CallOptions,
): Promise<ChangeableLimits> {
  const { limits: made } = container;
  const [memoryBytes = 0, cpu = 0, processes = 0] = CHANGEABLE_LIMITS.map((limit) =>
    Math.min(made[limit], ...runs.map((limits) => limits[limit] ?? made[limit])),
  );
  if (processes === made.processes) return { memoryBytes, cpu, processes };
  const others = runs.length + (await ownProcesses(container, options));
  return { memoryBytes, cpu, processes: Math.min(made.processes, processes + others) };
}

/** Those that keep the container alive and stand for hosts. */
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
