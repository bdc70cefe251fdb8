import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { type ContainerRecord, containerName, readLabels } from "./container-labels.js";
import { META } from "./workspace-container.js";

/** A container of ours as it was a moment ago. */
export interface FoundContainer {
  readonly id: string;
  readonly record: ContainerRecord;
  readonly imageId: string;
  readonly state: "made" | "running" | "paused" | "stopped" | "going";
  /** By the engine's clock, in milliseconds: when something last became of it. */
  readonly changedMs: number;
}

/** The workspace's container, or `stranger` where another has its name. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function findContainer(
  engine: EngineClient,
  namespace: string,
  workspaceId: string,
  options?: CallOptions,
): Promise<FoundContainer | "stranger" | undefined> {
  const found = await inspectContainer(engine, containerName(namespace, workspaceId), options);
  return found && (foundContainer(found) ?? "stranger");
}

/** By name or id, as the engine tells it. */
export async function inspectContainer(
  engine: EngineClient,
  nameOrId: string,
  options?: CallOptions,
): Promise<Dockerode.ContainerInspectInfo | undefined> {
  try {
    const look = (abortSignal: AbortSignal) => engine.docker.getContainer(nameOrId).inspect({ abortSignal });
    return await engine.call("Looking at a container", look, options);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

export function foundContainer(info: Dockerode.ContainerInspectInfo): FoundContainer | undefined {
  const { Id: id, Name: name, Config: config, State: state, Image: imageId, Created: created } = info;
  const record = readLabels(config.Labels, (ours) => name.replace(/^\//, "") === nameOf(ours));
  if (!record) return undefined;
  const times = [created, state.StartedAt, state.FinishedAt].map((time) => Date.parse(time) || 0);
  return {
    id,
    record,
    imageId,
    state: stateOf(state),
    changedMs: Math.max(...times),
  };
}

export function nameOf({ namespace, workspaceId }: ContainerRecord): string {
  return containerName(namespace, workspaceId);
}

/**
 * Whether its directories are there: not yet where it is just being made, and no more where its volume was in memory and
 * the container was started again.
 */
export async function hasLayout(engine: EngineClient, id: string, options?: CallOptions): Promise<boolean> {
  return await hasPath(engine, id, META, options);
}

/** Whether there is anything at the path; also of a container that does not run. */
export async function hasPath(
  engine: EngineClient,
  id: string,
  path: string,
  options?: CallOptions,
): Promise<boolean> {
  try {
    await engine.call(
      "Looking for a file in a container",
      async (abortSignal) => {
        const answer = await engine.docker.getContainer(id).infoArchive({ path, abortSignal });
        answer.resume();
      },
      options,
    );
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

function stateOf({
  Status: status,
  Paused: paused,
}: Dockerode.ContainerInspectInfo["State"]): FoundContainer["state"] {
  if (paused || status === "paused") return "paused";
  if (status === "running") return "running";
  if (status === "created" || status === "configured" || status === "initialized") return "made";
  // Podman's `stopping` and Docker's `restarting` pass by themselves; starting waits for it.
  if (status === "removing" || status === "dead") return "going";
  return "stopped";
}
