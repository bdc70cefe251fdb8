import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { CreateWorkspaceOptions } from "@skillwright/core/adapter";
import type { EngineClient } from "../engine/engine-client.js";
import { type FoundContainer, findContainer } from "./found-container.js";
import { removeWhole } from "./remove-container.js";
import { isLeftBehind, mayBeReplaced } from "./sweep-containers.js";
import { takenByStranger } from "./taken-by-stranger.js";

const SETTLED_MS = 10_000;
const POLL_MS = 25;

export interface ContainerPlace {
  readonly engine: EngineClient;
  readonly namespace: string;
  readonly id: string;
}

/**
 * Makes the container of a workspace. A container of the same name that is unfinished is removed first: at once with
 * `replaceUnfinished`, otherwise only if it is stopped or older than a minute. With `replaceUnfinished`, the call waits up to
 * 10 s while the engine still carries out requests of a process that was killed.
 * @throws SkillError `CONFLICT` where the name is in use; what `make` throws.
 */
export async function replacingUnfinished<T>(
  { engine, namespace, id }: ContainerPlace,
  make: () => Promise<T>,
  { signal, replaceUnfinished = false }: CreateWorkspaceOptions,
): Promise<T> {
  const deadline = performance.now() + SETTLED_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await make();
    } catch (error) {
      if (!SkillError.is(error, "CONFLICT")) throw error;
      const mayTryAgain = replaceUnfinished ? performance.now() < deadline : tries === 1;
      const there = await findContainer(engine, namespace, id, { signal });
      if (there === "stranger") throw takenByStranger(id);
      if (!mayTryAgain) throw error;
      if (there) {
        const isFree = await (replaceUnfinished ? isUnfinished : mayBeReplaced)(engine, there, { signal });
        if (!isFree) throw error;
        await removeWhole(engine, there, { signal });
      } else {
        // The engine reserves a name before the container exists, and frees the name after the container is gone.
        if (!replaceUnfinished) throw error;
        // The signal ends the pause.
        await setTimeout(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** True for a container that is unfinished, and for one that the engine is still removing. */
async function isUnfinished(
  engine: EngineClient,
  found: FoundContainer,
  options: CallOptions,
): Promise<boolean> {
  return found.state === "going" || (await isLeftBehind(engine, found, options));
}
