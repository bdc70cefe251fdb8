import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SkillError } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { dockerRuntime } from "../../src/index.js";
import { containerPlace } from "../container/container-place.js";
import { engineRelay } from "../engine/engine-relay.js";
import { type KillPoint, killingRelay, makingPoints } from "../engine/killing-relay.js";
import { engines, LOCAL_ENGINES, type TestEngine } from "../engine-setup/engines.js";
import { printed } from "./running.js";

const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));

describe.each(await engines(LOCAL_ENGINES))(
  "a process that is killed while it creates a workspace, on $name",
  (engine) => {
    test.each(makingPoints)(
      "DOCK-10: $name, is followed at once by one that alone creates the workspace",
      async (point) => {
        await using place = await containerPlace(engine);
        const { namespace } = place.wish;
        await killedAt(engine, namespace, point);
        await using next = dockerRuntime({ ...optionsOn(engine), namespace });
        // A complete workspace can be attached to.
        const workspace = (await next.attach("w")) ?? (await next.create("w", { replaceUnfinished: true }));
        expect(await printed(workspace, "echo here > work/f; cat work/f")).toBe("here");
        const names = (await place.leftovers()).filter((name) => name.startsWith("/"));
        expect(names).toHaveLength(1);
      },
    );

    test("stays in the way of a process without the lease until what it left is a minute old", async () => {
      await using place = await containerPlace(engine);
      const { namespace } = place.wish;
      await killedAt(engine, namespace, pointNamed("when it has started the container"));
      await using next = dockerRuntime({ ...optionsOn(engine), namespace });
      expect(await next.attach("w")).toBeUndefined();
      await expect(next.create("w")).rejects.toMatchObject({ code: "CONFLICT" });
    });
  },
);

describe.each(await engines(LOCAL_ENGINES))(
  "a process that alone creates a workspace, on $name",
  (engine) => {
    test("never replaces a complete container, whether it is running, paused or stopped", async () => {
      await using place = await containerPlace(engine, { storage: "disk" });
      const { namespace } = place.wish;
      await using runtime = dockerRuntime({ ...optionsOn(engine), namespace, storage: "disk" });
      await printed(await runtime.create("w"), "echo kept > work/f");
      const container = place.engine.docker.getContainer(`skillwright.${namespace}.w`);
      for (const change of [
        () => undefined,
        () => container.pause(),
        () => container.unpause(),
        () => container.kill(),
      ]) {
        await change();
        await expect(runtime.create("w", { replaceUnfinished: true })).rejects.toMatchObject({
          code: "CONFLICT",
        });
      }
      const attached = await runtime.attach("w");
      expect(attached && (await printed(attached, "cat work/f"))).toBe("kept");
    });

    test("tries again while the engine still finishes or undoes a call of the killed process", async () => {
      await using place = await containerPlace(engine);
      let refused = 0;
      // The name is reserved, but the container does not exist yet.
      await using relay = await engineRelay(engine.host, ({ method, path }) => {
        if (method !== "POST" || !path.includes("/containers/create") || refused === 3) return undefined;
        refused++;
        return { status: 409, answer: { message: "Conflict. The container name is already in use" } };
      });
      const { namespace } = place.wish;
      await using runtime = dockerRuntime({ ...optionsOn(engine), engine: { host: relay.host }, namespace });
      const error = await runtime.create("w").catch((thrown: unknown) => thrown);
      expect(SkillError.is(error, "CONFLICT") && refused).toBe(1);
      const workspace = await runtime.create("w", { replaceUnfinished: true });
      expect([await printed(workspace, "echo here"), refused]).toEqual(["here", 3]);
    });

    test("does not replace a foreign container", async () => {
      await using place = await containerPlace(engine);
      const { namespace } = place.wish;
      const name = `skillwright.${namespace}.w`;
      await place.engine.docker.createContainer({
        name,
        Image: engine.image,
        Entrypoint: ["/bin/sleep", "1000"],
      });
      await using runtime = dockerRuntime({ ...optionsOn(engine), namespace });
      await expect(runtime.create("w", { replaceUnfinished: true })).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining("did not create"),
      });
    });
  },
);

function optionsOn({ host, image }: TestEngine) {
  return { engine: { host }, image, pull: "never" } as const;
}

function pointNamed(wanted: string): KillPoint {
  const found = makingPoints.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no point ${wanted}.`);
  return found;
}

async function killedAt(engine: TestEngine, namespace: string, point: KillPoint): Promise<void> {
  await using relay = await killingRelay(engine, point, () => child.kill("SIGKILL"));
  const argv = [script, relay.host, engine.image, namespace, "w", "true"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}
