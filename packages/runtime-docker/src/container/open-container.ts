import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import type { ImageShell } from "../image/image-shell.js";
import { type FoundContainer, foundContainer, hasLayout, inspectContainer } from "./found-container.js";
import { isLost, lostStorage, workspaceNotFound } from "./lost-storage.js";
import type { WorkspaceContainer } from "./workspace-container.js";

const HELD_MS = 10_000;
const POLL_MS = 25;

/** Opens an existing container. */
export function openContainer(
  engine: EngineClient,
  found: FoundContainer,
  shell: ImageShell,
): WorkspaceContainer {
  const { id, imageId, ociRuntime, record } = found;
  const { workspaceId, user, programPath, hasNetwork, volume, limits, filter, skillCopies } = record;
  const container = engine.docker.getContainer(id);

  async function look(options: CallOptions): Promise<Sight> {
    const info = await inspectContainer(engine, id, options);
    const now = info && foundContainer(info);
    if (!now || now.state === "going") throw workspaceNotFound(workspaceId);
    return { info, now };
  }

  /** Both checks run in parallel, since every command waits for them. */
  async function lookForFiles(options: CallOptions): Promise<Sight> {
    const hasFiles = record.storage === "disk" ? undefined : hasLayout(engine, id, options);
    // For a container that is gone or stopped, the other check tells more.
    hasFiles?.catch(() => undefined);
    const sight = await look(options);
    const { now } = sight;
    const lost = now.state === "running" && hasFiles ? !(await hasFiles) : await isLost(engine, now, options);
    if (lost) throw lostStorage(workspaceId);
    return sight;
  }

  async function ready(options: CallOptions = {}): Promise<Dockerode.ContainerInspectInfo> {
    const deadline = performance.now() + HELD_MS;
    for (;;) {
      const { now, info } = await lookForFiles(options);
      if (now.state === "running") return info;
      if (now.state === "paused") {
        await wake(options);
        return info;
      }
      if (record.storage === "disk") {
        await start(options);
        return (await look(options)).info;
      }
      // A holder of its volume exists, and will start it again.
      if (performance.now() > deadline) throw lostStorage(workspaceId);
      await setTimeout(POLL_MS);
    }
  }

  async function wake(options: CallOptions): Promise<void> {
    const unpause = (abortSignal: AbortSignal) => container.unpause({ abortSignal });
    await tolerating(isAwake, engine.call("Waking a container", unpause, options));
  }

  async function start(options: CallOptions): Promise<void> {
    const startIt = (abortSignal: AbortSignal) => container.start({ abortSignal });
    await tolerating(isStarted, engine.call("Starting a container", startIt, options));
  }

  const kept = {
    workspaceId,
    imageId,
    ociRuntime,
    user,
    programPath,
    hasNetwork,
    limits,
    filter,
    volume,
    skillCopies,
  };
  return { ...kept, container, engine, ...shell, ready };
}

interface Sight {
  readonly info: Dockerode.ContainerInspectInfo;
  readonly now: FoundContainer;
}

/** Another process may have done the same. */
async function tolerating(isDone: (error: unknown) => boolean, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isDone(error)) throw error;
  }
}

const isStarted = (error: unknown) => statusOf(error) === 304;

/** True if the engine refused to resume a container because it was not paused. Podman answers 409 then, and Docker 500 with this text. */
function isAwake(error: unknown): boolean {
  return statusOf(error) === 409 || (statusOf(error) === 500 && / is not paused/.test(String(error)));
}
