import { type CallOptions, SkillError } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { EngineClient } from "../engine/engine-client.js";
import type { ImageFacts } from "../image/image-facts.js";
import { OWN_PLACE, supervisorArchive } from "../stream/supervisor-place.js";
import type { ContainerRecord } from "./container-labels.js";
import { type FoundContainer, foundContainer, inspectContainer } from "./found-container.js";
import { VOLUME } from "./workspace-container.js";
import { workspaceLayoutArchive } from "./workspace-layout-archive.js";

export interface LaunchedContainer {
  readonly id: string;
  readonly record: ContainerRecord;
  readonly image: ImageFacts;
  readonly ociRuntime: string | undefined;
  /** Local path of the supervisor. */
  readonly program: string;
}

/**
 * Puts the supervisor into a container, starts it for the first time, creates its directories and verifies that it keeps running.
 * @throws SkillError `ISOLATION_UNAVAILABLE` when the supervisor does not run there, `BACKEND_FAILED`, `ABORTED`.
 */
export async function launchContainer(
  engine: EngineClient,
  { id, record, image, ociRuntime, program }: LaunchedContainer,
  options: CallOptions,
): Promise<FoundContainer> {
  const container = engine.docker.getContainer(id);
  const own = await supervisorArchive(program);
  const put = (abortSignal: AbortSignal) => container.putArchive(own, { path: OWN_PLACE, abortSignal });
  await engine.call("Putting the supervisor into a container", put, options);
  await engine.call("Starting a container", (abortSignal) => container.start({ abortSignal }), options);
  // Only after the start, because files in memory are lost whenever the container is not running.
  const layout = await workspaceLayoutArchive(record.user);
  const unpack = (abortSignal: AbortSignal) => container.putArchive(layout, { path: VOLUME, abortSignal });
  const [info] = await Promise.all([
    inspectContainer(engine, id, options),
    engine.call("Laying out a workspace", unpack, options),
  ]);
  if (info && ociRuntime !== undefined) checkRuntime(info, ociRuntime);
  const found = info && foundContainer(info);
  if (found?.state === "running") return found;
  throw doesNotStay(image.reference, info?.State.ExitCode);
}

/** A supervisor that does not run there may end only after its container was seen to run. @throws SkillError as `launchContainer`. */
export async function checkStays(
  engine: EngineClient,
  { id, image }: Pick<LaunchedContainer, "id" | "image">,
  options: CallOptions,
): Promise<void> {
  const info = await inspectContainer(engine, id, options);
  if (info && !info.State.Running) throw doesNotStay(image.reference, info.State.ExitCode);
}

/** Podman silently ignores a runtime given for a single container. */
function checkRuntime(info: Dockerode.ContainerInspectInfo, wanted: string): void {
  const { HostConfig: host, OCIRuntime: used = host.Runtime } = info as typeof info & { OCIRuntime?: string };
  if (used === wanted) return;
  throw new SkillError(
    "CONFIG_INVALID",
    `The engine runs containers with ${used}, not with ${wanted} as the option ociRuntime says. Make ${wanted} the engine's default, or use an engine that knows it.`,
    { details: { option: "ociRuntime" } },
  );
}

/** The supervisor is static, and needs nothing of the image. */
function doesNotStay(image: string, exitCode: number | undefined): SkillError {
  return new SkillError(
    "ISOLATION_UNAVAILABLE",
    `The supervisor of a container of the image ${image} ended immediately with exit code ${exitCode}. Choose an image for the processor of the engine's machine, and keep the engine's volumes on a disk whose programs may be executed.`,
    { details: { image, exitCode } },
  );
}
