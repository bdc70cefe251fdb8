import { randomBytes } from "node:crypto";
import { type CallOptions, SkillError } from "@skillwright/core";
import { supervisorProgram } from "@skillwright/supervisor";
import type { EngineClient } from "../engine/engine-client.js";
import { isTooLate, statusOf } from "../engine/engine-error.js";
import { type LastingCalls, lastingCalls } from "../engine/lasting-calls.js";
import type { ImageFacts } from "../image/image-facts.js";
import type { ImageShells } from "../image/image-shell.js";
import type { ImageTools } from "../image/image-tools.js";
import { checkSkillsRoot } from "./check-skills-root.js";
import { type ContainerRecord, containerName } from "./container-labels.js";
import type { ContainerWish } from "./container-options.js";
import { containerSettings, volumeSettings } from "./container-settings.js";
import type { ChosenLimits, EngineLimits } from "./engine-limits.js";
import { findContainer } from "./found-container.js";
import { checkStays, launchContainer } from "./launch-container.js";
import { openContainer } from "./open-container.js";
import { removeContainer, removeVolume } from "./remove-container.js";
import type { WorkspaceContainer } from "./workspace-container.js";

export interface ContainerPlan {
  readonly workspaceId: string;
  readonly wish: ContainerWish;
  readonly image: ImageFacts;
  readonly shells: ImageShells;
  readonly tools: ImageTools;
  readonly limits: EngineLimits;
}

/**
 * Creates volume and container of a workspace, starts it and creates its directories. After a failure, everything is
 * removed again.
 * @throws SkillError `CONFLICT` when the engine has a container of that name, `CONFIG_INVALID` for an unsuitable image,
 * `ISOLATION_UNAVAILABLE` for one whose processor has no supervisor,
 * `UNSUPPORTED` for a limit that the caller set and the engine cannot enforce, `BACKEND_FAILED`, `ABORTED`.
 */
export async function createContainer(
  engine: EngineClient,
  plan: ContainerPlan,
  options: CallOptions = {},
): Promise<WorkspaceContainer> {
  const { workspaceId, wish, image, shells, tools } = plan;
  const program = supervisor(image);
  const { limits, without } = await plan.limits.choose(engine, wish, options);
  const record = newRecord({ workspaceId, wish, image, limits });
  const making = lastingCalls(engine, options);
  await checkSkillsRoot(engine, wish.skillsRoot);
  try {
    await createVolume(engine, record, making);
    const id = await makeContainer(engine, { record, wish, image, without }, making);
    const shell = await shells.find(engine, { id, imageId: image.id }, options);
    const launched = { id, record, image, program, ociRuntime: wish.ociRuntime };
    const container = openContainer(engine, await launchContainer(engine, launched, options), shell);
    await tools.check(container, image, options).catch(async (error: unknown) => {
      await checkStays(engine, launched, options);
      throw error;
    });
    return container;
  } catch (error) {
    // The first failure is thrown. A sweep removes what stays.
    const cleaning = making
      .over()
      .then(() => takeAway(engine, record))
      .catch(() => undefined);
    // After an abort or a timeout, the caller does not wait for the removal; leftovers are swept later.
    if (!SkillError.is(error, "ABORTED") && !isTooLate(error)) await cleaning;
    if (!plan.limits.learn(error, engine, wish)) throw error;
  }
  // Without the default limit that the engine is now known not to support.
  return await createContainer(engine, plan, options);
}

/** Local path of the supervisor for containers of the image. */
function supervisor({ reference, arch }: ImageFacts): string {
  const path = supervisorProgram({ platform: "linux", arch })?.path;
  if (path !== undefined) return path;
  throw new SkillError(
    "ISOLATION_UNAVAILABLE",
    `Commands cannot run in containers of the image ${reference}, because there is no supervisor for its processor (${arch}). Choose an image for x64 or arm64, and an engine on such a machine.`,
    { details: { image: reference, arch } },
  );
}

function newRecord({
  workspaceId,
  wish,
  image,
  limits,
}: Pick<ContainerPlan, "workspaceId" | "wish" | "image"> & Pick<ChosenLimits, "limits">): ContainerRecord {
  const { namespace, storage, user, network, skillCopies } = wish;
  return {
    namespace,
    workspaceId,
    volume: `${containerName(namespace, workspaceId)}.${randomBytes(8).toString("hex")}`,
    storage,
    user,
    hasNetwork: network !== "none",
    filter: network === "none" ? "offline" : "online",
    programPath: image.programPath,
    limits,
    skillCopies: skillCopies === "none" ? undefined : skillCopies,
  };
}

interface ContainerSpec extends Pick<ChosenLimits, "without"> {
  readonly record: ContainerRecord;
  readonly wish: ContainerWish;
  readonly image: ImageFacts;
}

async function makeContainer(
  engine: EngineClient,
  { record, wish, image, without }: ContainerSpec,
  making: LastingCalls,
): Promise<string> {
  const name = containerName(record.namespace, record.workspaceId);
  const settings = containerSettings(record, wish, image, { isPodman: engine.isPodman, without });
  const create = () => engine.docker.createContainer({ ...settings, name });
  try {
    return (await making.call("Making a container", create)).id;
  } catch (error) {
    if (statusOf(error) === 409) throw nameTaken(record.workspaceId, error);
    throw error;
  }
}

/**
 * Removes only what was created for this record: an engine may complete the creation of a container after the call was
 * given up.
 */
async function takeAway(
  engine: EngineClient,
  { namespace, workspaceId, volume }: ContainerRecord,
): Promise<void> {
  const there = await findContainer(engine, namespace, workspaceId);
  if (there && there !== "stranger" && there.record.volume === volume)
    await removeContainer(engine, there.id);
  await removeVolume(engine, volume);
}

export function nameTaken(id: string, cause: unknown): SkillError {
  return new SkillError("CONFLICT", `A workspace ${id} already exists. Attach to it, or choose another id.`, {
    cause,
    details: { workspaceId: id },
  });
}

/**
 * Podman interprets `size` as a disk quota. It passes a number of blocks through, which limits the memory just as well.
 */
async function createVolume(
  engine: EngineClient,
  record: ContainerRecord,
  making: LastingCalls,
): Promise<void> {
  const settings = volumeSettings(record, engine.isPodman ? "nr_blocks" : "size");
  await making.call("Making a volume", () => engine.docker.createVolume(settings));
}
