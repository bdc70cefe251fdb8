import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import { type ContainerRecord, containerName, recordOfContainer } from "./container-labels.js";
import { META } from "./workspace-container.js";

/** A container of this package, in its most recent state. */
export interface FoundContainer {
  readonly id: string;
  readonly record: ContainerRecord;
  readonly imageId: string;
  /** The name that the engine has for its low-level runtime, such as `runsc`. */
  readonly ociRuntime: string;
  readonly state: "made" | "running" | "paused" | "stopped" | "going";
  /** Time of the latest state change in milliseconds, by the engine's clock. */
  readonly changedMs: number;
}

/**
 * Finds the workspace's container; `stranger` where a foreign container has its name. @throws SkillError
 * `BACKEND_FAILED`, `ABORTED`.
 */
export async function findContainer(
  engine: EngineClient,
  namespace: string,
  workspaceId: string,
  options?: CallOptions,
): Promise<FoundContainer | "stranger" | undefined> {
  const found = await inspectContainer(engine, containerName(namespace, workspaceId), options);
  return found && (foundContainer(found) ?? "stranger");
}

/** Inspects a container by name or id. */
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
  const volumes = (info.Mounts ?? []).map((mount) => mount.Name);
  const record = recordOfContainer(config.Labels, { names: [name], volumes });
  if (!record) return undefined;
  const times = [created, state.StartedAt, state.FinishedAt].map((time) => Date.parse(time) || 0);
  return {
    id,
    record,
    imageId,
    ociRuntime: info.HostConfig?.Runtime ?? "",
    state: stateOf(state),
    changedMs: Math.max(...times),
  };
}

/** True where its directories exist. False while it is being created, and after a restart with its volume in memory. */
export async function hasLayout(engine: EngineClient, id: string, options?: CallOptions): Promise<boolean> {
  return await hasPath(engine, id, META, options);
}

/** True where the path exists, even in a container that is not running. */
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
  // Podman's `stopping` and Docker's `restarting` are temporary; starting waits for their end.
  if (status === "removing" || status === "dead") return "going";
  return "stopped";
}
