import { type CallOptions, SkillError } from "@skillwright/core";
import {
  checkAborted,
  type PausableWorkspace,
  type RunCommand,
  type RunHandle,
  spanned,
} from "@skillwright/core/adapter";
import type { Findings } from "./capabilities/measure-capabilities.js";
import { inspectContainer } from "./container/found-container.js";
import { workspaceNotFound } from "./container/lost-storage.js";
import { ROOT, type WorkspaceContainer } from "./container/workspace-container.js";
import { statusOf } from "./engine/engine-error.js";
import { workspaceFiles } from "./files/workspace-files.js";
import type { LiveRuns } from "./run/live-runs.js";
import { type RunMeans, runOf, startRun } from "./run/start-run.js";
import { withGrace } from "./run/with-grace.js";
import { workspaceSkills } from "./staging/workspace-skills.js";

export interface DockerWorkspaceMeans {
  readonly live: LiveRuns;
  readonly leaseMs: number;
  /** Fires when the runtime is closed. */
  readonly closed: AbortSignal;
  readonly findings: (options: CallOptions) => Promise<Findings>;
  /** Throws when the runtime was closed. */
  readonly checkOpen: () => void;
}

/** The engines' answer to pausing a paused container. */
const ALREADY_SO = 409;

/** One workspace in its container. Keeps nothing in memory that another process would need. */
export function dockerWorkspace(
  container: WorkspaceContainer,
  { live, leaseMs, closed, findings, checkOpen }: DockerWorkspaceMeans,
): PausableWorkspace {
  const { workspaceId: id, engine } = container;
  const files = workspaceFiles(container);
  const skills = workspaceSkills(container);

  async function during<T>(
    options: CallOptions,
    work: () => Promise<T>,
    mayGoOnSleeping = false,
  ): Promise<T> {
    checkOpen();
    checkAborted(options.signal);
    try {
      if (!mayGoOnSleeping) await container.ready(options);
      return await work();
    } catch (error) {
      throw await meaning(error, options);
    }
  }

  /** For reads that also work in a container that is not running. */
  async function whileLooking<T>(options: CallOptions, read: () => Promise<T | undefined>): Promise<T> {
    const work = async () => {
      // The second reading throws its failure.
      const found = await read().catch(() => undefined);
      if (found) return found;
      // Determines the container's state; where that is fine, the read can be retried.
      await container.ready(options);
      return (await read()) ?? notToBeSeen(id);
    };
    return await during(options, work, true);
  }

  async function* eachDuring<T>(
    options: CallOptions,
    work: () => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    checkOpen();
    try {
      yield* work();
    } catch (error) {
      throw await meaning(error, options);
    }
  }

  /** Removing a workspace during a call can make it fail in many ways; all of them become the same error. */
  async function meaning(error: unknown, { signal }: CallOptions): Promise<SkillError> {
    checkAborted(signal);
    if (SkillError.is(error) && error.code !== "BACKEND_FAILED") return error;
    // An engine that does not answer tells nothing about the workspace.
    const there = await inspectContainer(engine, container.container.id).catch(() => true);
    return there === undefined
      ? workspaceNotFound(id)
      : SkillError.from(error, `Working in the workspace ${id}`);
  }

  async function start(command: RunCommand, options: CallOptions, starting: AbortSignal): Promise<RunHandle> {
    const late = { signal: starting };
    const work = async () => {
      const means = { live, leaseMs, closed, ...heldIn(container, await findings(late)) };
      return await startRun(container, command, { ...options, starting, means });
    };
    // Starting ensures that the container is ready.
    return await during(late, work, true);
  }

  /** A container that is already paused or stopped also counts as success. */
  async function pause(options: CallOptions): Promise<void> {
    try {
      const sleep = (abortSignal: AbortSignal) => container.container.pause({ abortSignal });
      await engine.call("Pausing a container", sleep, options);
    } catch (error) {
      if (statusOf(error) !== ALREADY_SO) throw error;
    }
  }

  const workspace: PausableWorkspace = {
    id,
    copiesSkills: true,
    system: container.imageId,
    root: ROOT,
    stage: (skill, options = {}) => during(options, () => skills.stage(skill, options)),
    unstage: (name, options = {}) => during(options, () => skills.unstage(name, options)),
    staged: (options = {}) => whileLooking(options, () => skills.staged(options)),
    note: (key, text, options = {}) => during(options, () => skills.note(key, text, options)),
    notes: (options = {}) => whileLooking(options, () => skills.notes(options)),
    start: async (command, options = {}) => {
      checkOpen();
      checkAborted(options.signal);
      return await withGrace(options.signal, (signal) => start(command, options, signal));
    },
    runOf: (runId, options = {}) =>
      during(options, () => runOf(container, runId, { ...options, closed }), true),
    put: (entries, options = {}) => during(options, () => files.put(entries, options)),
    get: (path, options = {}) => during(options, () => files.get(path, options)),
    getMany: (paths, options = {}) => eachDuring(options, () => files.getMany(paths, options)),
    link: (path, to, options = {}) => during(options, () => files.link(path, to, options)),
    remove: (path, options = {}) => during(options, () => files.remove(path, options)),
    list: (path, options = {}) => during(options, () => files.list(path, options)),
    pause: (options = {}) => during(options, () => pause(options), true),
    resume: (options = {}) => during(options, async () => undefined),
  };
  return spanned("runtime.workspace", workspace, { runtime: "docker" });
}

function notToBeSeen(id: string): never {
  throw new SkillError(
    "BACKEND_FAILED",
    `The record of the workspace ${id} is missing in its container. Destroy the workspace and create a new one.`,
  );
}

/** Another process may have made the container, with a low-level runtime in which this one has not measured. Then only what every container has counts. */
function heldIn(
  { ociRuntime, engine }: WorkspaceContainer,
  { capabilities, ociRuntime: measured }: Findings,
): Pick<RunMeans, "isolation" | "enforced" | "programs"> {
  const { isolation, limits: enforced, programs = [] } = capabilities;
  if (ociRuntime === measured) return { isolation, enforced, programs };
  return { isolation: { level: "container", by: engine.product }, enforced: [], programs };
}
