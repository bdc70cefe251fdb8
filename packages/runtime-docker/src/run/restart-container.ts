import { randomBytes } from "node:crypto";
import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import { VOLUME, type WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";

/** The holder ends by itself if no process ends it. */
const HOLDER_SECONDS = 60;
const HOLDER_PROCESSES = 16;

/**
 * Ends everything in the container and restarts it with the same files: the last resort against processes that cannot
 * be ended otherwise. A volume in memory exists as long as any container uses it, so another container holds it
 * meanwhile.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function restartContainer(
  workspace: WorkspaceContainer,
  options: CallOptions = {},
): Promise<void> {
  const { container, engine } = workspace;
  const info = await engine.call(
    "Looking at the container",
    (abortSignal) => container.inspect({ abortSignal }),
    options,
  );
  const holder = await startHolder(workspace, info, options);
  try {
    const kill = (abortSignal: AbortSignal) => container.kill({ signal: "SIGKILL", abortSignal });
    await tolerating([409], engine.call("Ending the container's processes", kill, options));
    await engine.call("Waiting for the container", (abortSignal) => container.wait({ abortSignal }), options);
    const start = (abortSignal: AbortSignal) => container.start({ abortSignal });
    await tolerating([304], engine.call("Starting the container again", start, options));
  } finally {
    await tolerating(
      [404, 409],
      engine.call("Removing a container", () => holder.remove({ force: true })),
    );
  }
}

async function startHolder(
  { shell, engine, volume }: WorkspaceContainer,
  info: Dockerode.ContainerInspectInfo,
  options: CallOptions,
): Promise<Dockerode.Container> {
  const settings: Dockerode.ContainerCreateOptions = {
    name: `skillwright-holder.${randomBytes(8).toString("hex")}`,
    Image: info.Image,
    Entrypoint: [shell, "-c", `exec sleep ${HOLDER_SECONDS}`],
    Cmd: [],
    User: "0:0",
    WorkingDir: "/",
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      AutoRemove: true,
      ...(info.HostConfig.Runtime === undefined ? {} : { Runtime: info.HostConfig.Runtime }),
      ReadonlyRootfs: true,
      NetworkMode: "none",
      IpcMode: "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      LogConfig: { Type: "none", Config: {} },
      PidsLimit: HOLDER_PROCESSES,
      Mounts: [
        { Type: "volume", Source: volume, Target: VOLUME, VolumeOptions: { NoCopy: true } },
      ] as Dockerode.MountConfig,
    },
  };
  const create = (abortSignal: AbortSignal) => engine.docker.createContainer({ ...settings, abortSignal });
  const holder = await engine.call("Making a container that keeps the files", create, options);
  await engine.call(
    "Starting a container that keeps the files",
    (abortSignal) => holder.start({ abortSignal }),
    options,
  );
  return holder;
}

async function tolerating(statuses: readonly number[], work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!statuses.includes(statusOf(error) ?? 0)) throw error;
  }
}
