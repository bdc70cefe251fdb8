import { randomBytes } from "node:crypto";
import {
  type ContainerOptions,
  type ContainerWish,
  containerWish,
} from "../../src/container/container-options.js";
import { createContainer } from "../../src/container/create-container.js";
import { engineLimits } from "../../src/container/engine-limits.js";
import { type ContainerSurvey, containerSurvey } from "../../src/container/sweep-containers.js";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { connectEngine, type OpenedEngine } from "../../src/engine/connect-engine.js";
import { imageSource } from "../../src/image/ensure-image.js";
import { imageShells } from "../../src/image/image-shell.js";
import { imageTools } from "../../src/image/image-tools.js";
import { runScript } from "../../src/stream/run-script.js";
import type { TestEngine } from "../engine-setup/engines.js";

export interface ContainerPlace extends AsyncDisposable {
  readonly engine: OpenedEngine;
  readonly wish: ContainerWish;
  readonly survey: ContainerSurvey;
  make(workspaceId: string): Promise<WorkspaceContainer>;
  /** Names of all containers and volumes in this place's namespace. */
  leftovers(): Promise<readonly string[]>;
}

/** A separate namespace on an engine, emptied afterwards. */
export async function containerPlace(
  { host, image }: Pick<TestEngine, "host" | "image">,
  options: ContainerOptions = {},
): Promise<ContainerPlace> {
  const engine = await connectEngine({ engine: { host }, callTimeoutMs: 30_000 });
  const wish = containerWish({ namespace: `place-${randomBytes(8).toString("hex")}`, ...options });
  const shells = imageShells();
  const tools = imageTools();
  const limits = engineLimits();
  const source = imageSource({ image, pull: "never" });
  const filters = { name: [`skillwright.${wish.namespace}`] };
  const containers = () => engine.docker.listContainers({ all: true, filters });
  const volumes = async () => (await engine.docker.listVolumes({ filters })).Volumes ?? [];
  return {
    engine,
    wish,
    survey: containerSurvey(engine, wish.namespace),
    make: async (workspaceId) =>
      await createContainer(engine, {
        workspaceId,
        wish,
        image: await source(engine),
        shells,
        tools,
        limits,
      }),
    leftovers: async () => [
      ...(await containers()).flatMap(({ Names }) => Names),
      ...(await volumes()).map(({ Name }) => Name),
    ],
    [Symbol.asyncDispose]: async () => {
      for (const { Id } of await containers())
        await engine.docker.getContainer(Id).remove({ force: true, v: true });
      for (const { Name } of await volumes()) await engine.docker.getVolume(Name).remove();
      engine.close();
    },
  };
}

/** Output of the script in the container. */
export async function told(
  container: WorkspaceContainer,
  script: string,
  as: "run" | "root" = "run",
): Promise<string> {
  const { exitCode, stdout, stderr } = await runScript(container, { script, as });
  if (exitCode !== 0) throw new Error(`${script} ended with ${exitCode}: ${stderr}`);
  return Buffer.from(stdout).toString("utf8").trim();
}
