import { type CallOptions, SkillError } from "@skillwright/core";
import {
  type CreateWorkspaceOptions,
  checkAborted,
  untilAborted,
  untilItWorks,
} from "@skillwright/core/adapter";
import { type Findings, measureCapabilities, measureIn } from "./capabilities/measure-capabilities.js";
import { type ContainerWish, containerWish } from "./container/container-options.js";
import { type ContainerPlan, createContainer } from "./container/create-container.js";
import { checkHeld, engineLimits } from "./container/engine-limits.js";
import { onlineWish, withoutNetwork } from "./container/online-wish.js";
import { discardContainer } from "./container/remove-container.js";
import { type ContainerSurvey, containerSurvey } from "./container/sweep-containers.js";
import { waitingContainers } from "./container/waiting-containers.js";
import type { WorkspaceContainer } from "./container/workspace-container.js";
import { callTimeoutOf, type DockerRuntimeOptions, leaseOf } from "./docker-runtime-options.js";
import { connectEngine, type OpenedEngine } from "./engine/connect-engine.js";
import { imageSource } from "./image/ensure-image.js";

import { type ImageShells, imageShells } from "./image/image-shell.js";
import { imageTools } from "./image/image-tools.js";
import { type LiveRuns, liveRuns } from "./run/live-runs.js";

/** What one runtime has determined, opened and must close. Nothing is determined before it is first needed. */
export interface RuntimeState {
  readonly wish: ContainerWish;
  readonly live: LiveRuns;
  readonly leaseMs: number;
  readonly closed: AbortSignal;
  readonly shells: ImageShells;
  /** @throws SkillError `ISOLATION_UNAVAILABLE`, `CONFIG_INVALID`, `BACKEND_FAILED`, `CLOSED`, `ABORTED`. */
  engine(options: CallOptions): Promise<OpenedEngine>;
  survey(options: CallOptions): Promise<ContainerSurvey>;
  /** Creates a container of the configured image. */
  makeContainer(workspaceId: string, options: CreateWorkspaceOptions): Promise<WorkspaceContainer>;
  /** Measured once. */
  findings(options: CallOptions): Promise<Findings>;
  checkOpen(): void;
  close(): Promise<void>;
}

/** @throws SkillError `CONFIG_INVALID` for an invalid option. */
export function runtimeState(options: DockerRuntimeOptions): RuntimeState {
  const wish = containerWish(options);
  const callTimeoutMs = callTimeoutOf(options);
  const live = liveRuns();
  const shells = imageShells();
  const tools = imageTools();
  const limits = engineLimits();
  const image = imageSource(options);
  const closing = new AbortController();
  const leaseMs = leaseOf(options);
  let opened: OpenedEngine | undefined;
  let measuring: Promise<Findings | undefined> | undefined;

  const engine = untilItWorks(async () => {
    const { engine: address, client, clientIsLocal } = options;
    const connected = await connectEngine({ engine: address, client, clientIsLocal, callTimeoutMs });
    if (closing.signal.aborted) connected.close();
    opened = connected;
    return connected;
  });
  const survey = untilItWorks(async () => containerSurvey(await engine(), wish.namespace));
  const findings = untilItWorks(
    async () => (await measuring) ?? (await measureCapabilities(wish, madeContainer)),
  );

  async function madeContainer(
    workspaceId: string,
    callOptions: CallOptions,
    wish: ContainerWish,
  ): Promise<WorkspaceContainer> {
    const connected = await engine();
    const plan: ContainerPlan = {
      workspaceId,
      wish,
      shells,
      tools,
      limits,
      image: await image(connected, callOptions),
    };
    return await createContainer(connected, plan, callOptions);
  }

  /** @throws SkillError `UNSUPPORTED` where a limit that the caller set is not enforced, or without the network. */
  async function makeContainer(
    workspaceId: string,
    { network = false, signal }: CreateWorkspaceOptions,
  ): Promise<WorkspaceContainer> {
    const callOptions = { signal };
    const own = network ? onlineWish(wish) : wish;
    const given = own === wish ? await waiting.take(workspaceId, callOptions) : undefined;
    if (given) return given;
    const container = await newContainer(workspaceId, own, callOptions);
    waiting.fill();
    return container;
  }

  /**
   * The first container is also measured, before any command runs in it, which saves a separate container. One with
   * another network than usual does not count.
   */
  async function newContainer(
    workspaceId: string,
    own: ContainerWish,
    callOptions: CallOptions,
  ): Promise<WorkspaceContainer> {
    const making = madeContainer(workspaceId, callOptions, own);
    const container = await (own === wish ? making : making.catch(withoutNetwork(own)));
    if (own === wish)
      measuring ??= measureIn(container, wish, callOptions).catch(() => {
        measuring = undefined;
        return undefined;
      });
    const found = own === wish ? await measuring : undefined;
    if (wish.asked.length === 0) return container;
    try {
      // The first measurement may have been aborted by its caller's signal.
      const { missing } = found ?? (await measureIn(container, own, callOptions));
      checkHeld(missing, container.engine, wish);
      return container;
    } catch (error) {
      await discardContainer(container);
      throw error;
    }
  }

  const waiting = waitingContainers({
    count: wish.warmContainers,
    namespace: wish.namespace,
    shells,
    make: (id) => newContainer(id, wish, {}),
  });

  /** Work shared by several callers is not aborted by one caller's signal. */
  function shared<T>(work: () => Promise<T>): (callOptions: CallOptions) => Promise<T> {
    return async ({ signal }) => {
      checkOpen();
      checkAborted(signal);
      return await untilAborted(work(), signal);
    };
  }

  function checkOpen(): void {
    if (closing.signal.aborted)
      throw new SkillError("CLOSED", "The Docker runtime has been closed. Create a new one.");
  }

  return {
    wish,
    live,
    leaseMs,
    closed: closing.signal,
    shells,
    engine: shared(engine),
    survey: shared(survey),
    makeContainer,
    findings: shared(findings),
    checkOpen,
    close: async () => {
      closing.abort();
      await Promise.all([live.end(), waiting.close()]);
      opened?.close();
    },
  };
}
