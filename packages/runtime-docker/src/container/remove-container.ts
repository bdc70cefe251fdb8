import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import type { FoundContainer } from "./found-container.js";
import type { WorkspaceContainer } from "./workspace-container.js";

const GOING_MS = 10_000;
const POLL_MS = 25;

/**
 * Ends everything in the container and removes it with its volume, whatever its state. Exactly one of several concurrent
 * callers gets `true`; all of them wait until both are gone. @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function removeWhole(
  engine: EngineClient,
  { id, record }: Pick<FoundContainer, "id" | "record">,
  options: CallOptions = {},
): Promise<boolean> {
  await removeContainer(engine, id, options);
  const deadline = performance.now() + GOING_MS;
  while (true) {
    try {
      // The volume decides: Docker may report success to two callers who remove one container.
      return await removeVolume(engine, record.volume, options);
    } catch (error) {
      // Docker forgets a container before it lets go of its volume.
      if (statusOf(error) !== 409 || performance.now() > deadline) throw error;
    }
    await setTimeout(POLL_MS);
  }
}

/**
 * Ends everything in the container and removes it, whatever its state. Also where somebody else is removing it, it is
 * gone afterwards. @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function removeContainer(
  engine: EngineClient,
  id: string,
  options: CallOptions = {},
): Promise<void> {
  const container = engine.docker.getContainer(id);
  const remove = (abortSignal: AbortSignal) => container.remove({ force: true, v: true, abortSignal });
  const deadline = performance.now() + GOING_MS;
  while (true) {
    try {
      await engine.call("Removing a container", remove, options);
      return;
    } catch (error) {
      if (statusOf(error) === 404) return;
      // Somebody else is removing it, or Podman is still about to notice how its processes ended.
      if (statusOf(error) !== 409) throw error;
      if (performance.now() > deadline) throw staysBehind(id);
    }
    await setTimeout(POLL_MS);
  }
}

/** Ends everything in the container at once. The outcome of its processes can still be queried. */
export async function killContainer(
  engine: EngineClient,
  id: string,
  options: CallOptions = {},
): Promise<void> {
  try {
    const container = engine.docker.getContainer(id);
    await engine.call("Ending a container", (abortSignal) => container.kill({ abortSignal }), options);
  } catch (error) {
    // It is not running, gone or being removed: there is nothing to end.
    if (![404, 409, 500].includes(statusOf(error) ?? 0)) throw error;
  }
}

/**
 * Exactly one of several concurrent callers gets `true`. @throws SkillError `BACKEND_FAILED`, also while a container uses
 * it, `ABORTED`.
 */
export async function removeVolume(
  engine: EngineClient,
  name: string,
  options: CallOptions = {},
): Promise<boolean> {
  try {
    const volume = engine.docker.getVolume(name);
    await engine.call("Removing a volume", (abortSignal) => volume.remove({ abortSignal }), options);
    return true;
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return false;
  }
}

/** Removes a container that nobody uses. What stays is found by its labels. */
export async function discardContainer({
  engine,
  container,
  volume,
}: Pick<WorkspaceContainer, "engine" | "container" | "volume">): Promise<void> {
  // A container that stays is in the list of workspaces, or a sweep removes it.
  await removeContainer(engine, container.id).catch(() => undefined);
  // A sweep removes a volume that stays.
  await removeVolume(engine, volume).catch(() => undefined);
}

function staysBehind(id: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The engine has been removing the container ${id.slice(0, 12)} for ${GOING_MS / 1000} s. Check its state: docker inspect ${id.slice(0, 12)}.`,
    { details: { containerId: id } },
  );
}
