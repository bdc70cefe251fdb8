import { type CallOptions, type RunLimits, SkillError } from "@skillwright/core";
import type Dockerode from "dockerode";
import { inspectContainer } from "../container/found-container.js";
import { inLimitsTurn } from "../container/limits-turn.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { CHANGEABLE_LIMITS, type ChangeableLimits, changeLimits } from "../exec/change-limits.js";
import { runScript } from "../stream/run-script.js";
import { notesIn } from "./run-note.js";

/** The memo of a container whose limits are, or may be, stricter than when it was made. */
const HELD = "held to less";

export interface LimitedStart {
  /** The limits that the run requests. */
  readonly own: RunLimits;
  /** Runs the work after such work of this process's other runs. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Starts a run while the container is limited to the strictest of its own limits and those requested by runs in
 * progress, including those of other hosts. A run that requests lower limits, and one that finds the container limited
 * more strictly, waits for its turn to adjust that; for others it costs nothing.
 * @throws SkillError `LIMIT_EXCEEDED` where more memory is in use than the run's limit, or no process can be started,
 * `BACKEND_FAILED`, and whatever `start` throws.
 */
export async function startHeld<T>(
  container: WorkspaceContainer,
  { own, inTurn }: LimitedStart,
  start: () => Promise<T>,
  options: CallOptions,
): Promise<T> {
  if (!asksForLess(container, own) && !(await isHeldToLess(container, options))) return await start();
  const work = async () => {
    await hold(container, own, options);
    return await start();
  };
  return await inTurn(() => inLimitsTurn(container, work, options));
}

/** The supervisor tells whether hosts changed its limits. */
async function isHeldToLess(container: WorkspaceContainer, options: CallOptions): Promise<boolean> {
  const { streams } = container.engine;
  return (streams.current(container) ?? (await streams.open(container, options))).memo() === HELD;
}

function asksForLess({ limits: made }: WorkspaceContainer, own: RunLimits): boolean {
  return CHANGEABLE_LIMITS.some((limit) => (own[limit] ?? made[limit]) < made[limit]);
}

/**
 * Sets the container's limits to what the runs in progress request. @throws SkillError `BACKEND_FAILED`,
 * `LIMIT_EXCEEDED`.
 */
export async function holdToRuns(container: WorkspaceContainer): Promise<void> {
  await inLimitsTurn(container, () => hold(container, {}, {}));
}

async function hold(container: WorkspaceContainer, own: RunLimits, options: CallOptions): Promise<void> {
  const info = await inspectContainer(container.engine, container.container.id, options);
  const stream = await container.engine.streams.open(container, options);
  const notes = notesIn(await stream.notes());
  const runs = [own, ...notes.flatMap((note) => ("run" in note ? [note.run] : []))];
  const strictest = await wanted(container, runs, options);
  const inForce = info && limitsInForce(container, info.HostConfig);
  if (inForce && isInForce(strictest, inForce)) return;
  try {
    await stream.setMemo(HELD);
    await changeLimits(container, strictest, options);
    if (isInForce(strictest, container.limits)) await stream.setMemo("");
  } catch (error) {
    if (statusOf(error) === undefined || strictest.memoryBytes === container.limits.memoryBytes) throw error;
    throw cannotHold(strictest.memoryBytes, error);
  }
}

function isInForce(limits: ChangeableLimits, inForce: Readonly<ChangeableLimits>): boolean {
  return CHANGEABLE_LIMITS.every((limit) => limits[limit] === inForce[limit]);
}

/** The effective limits according to the engine; Podman reports those at creation. */
function limitsInForce(
  { engine }: WorkspaceContainer,
  { Memory, NanoCpus, PidsLimit }: Dockerode.HostConfig,
): ChangeableLimits | undefined {
  if (engine.isPodman) return undefined;
  return { memoryBytes: Memory ?? 0, cpu: (NanoCpus ?? 0) / 1e9, processes: PidsLimit ?? 0 };
}

/** Processes of root, which keep the container alive and supervise commands, do not count towards a run's limit. */
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
  const others = SUPERVISORS_OF_RUN + (await ownProcesses(container, options));
  return { memoryBytes, cpu, processes: Math.min(made.processes, processes + others) };
}

/** Processes of root that come with the run that is about to start: its supervisor, and one that follows it. */
const SUPERVISORS_OF_RUN = 2;

const COUNT = 'n=0; for p in /proc/[0-9]*; do [ ! -O "$p" ] || n=$((n + 1)); done; echo $n';

/** The number of processes of root, without the shell that counts them and the supervisor of that shell. */
async function ownProcesses(container: WorkspaceContainer, options: CallOptions): Promise<number> {
  const { stdout } = await runScript(container, { script: COUNT, as: "root" }, options);
  return Number(Buffer.from(stdout).toString("latin1")) - PROCESSES_OF_COUNT;
}

const PROCESSES_OF_COUNT = 2;

function cannotHold(memoryBytes: number, cause: unknown): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The run cannot be limited to ${memoryBytes} bytes of memory, because more is already in use; files that commands wrote to a ` +
      "workspace kept in memory count too. Raise memoryBytes, remove files, or keep workspaces on disk.",
    { cause, details: { limit: memoryBytes } },
  );
}
