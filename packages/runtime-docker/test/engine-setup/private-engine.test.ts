import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type RequestOptions } from "node:https";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { engineRequest } from "../../../../scripts/engines/engine-request.mjs";
import { testImage } from "../../../../scripts/engines/test-images/test-image.mjs";
import { engines } from "./engines.js";
import { leftOfEngine } from "./left-of-engine.js";
import { startContainer, stateOf } from "./plain-container.js";

for (const _ of await engines(["docker"]))
  describe("a private Docker engine", () => {
    it("is removed with its containers, mounts, control groups and data when it is stopped", async () => {
      const engine = await started();
      await startContainer(engine.host, await testImage(engine.host, "base"));
      const folder = dirname(new URL(engine.socket).pathname);
      expect(leftOfEngine(folder).length).toBeGreaterThan(5);
      await engine.stop();
      expect(leftOfEngine(folder)).toEqual([]);
    });

    it("is also removed when the process that started it is killed", async () => {
      const owner = spawn(process.execPath, [ownerProgram], { stdio: ["ignore", "pipe", "inherit"] });
      const [socket] = await once(createInterface(owner.stdout), "line");
      const folder = dirname(new URL(socket).pathname);
      expect(leftOfEngine(folder).length).toBeGreaterThan(2);
      owner.kill("SIGKILL");
      await expect.poll(() => leftOfEngine(folder)).toEqual([]);
    });

    it.each([{}, { tcp: true }, { ownNetwork: true }])(
      "has the same address after it was killed and restarted: %o",
      async (options) => {
        const engine = await started(options);
        await engine.kill();
        await expect(engineRequest(engine.host, "GET", "/_ping", { timeoutMs: 2_000 })).rejects.toThrow();
        await engine.start();
        expect(await engineRequest(engine.host, "GET", "/_ping")).toMatchObject({ status: 200 });
      },
    );

    it("with tls, serves only the holder of its client certificate", async () => {
      const { host, certificates } = await started({ tls: true });
      const url = new URL("/version", host.replace("tcp:", "https:"));
      const [ca, cert, key] = ["ca", "cert", "key"].map((name) =>
        readFileSync(`${certificates}/${name}.pem`),
      );
      expect(await statusOf(url, { ca, cert, key })).toBe(200);
      await expect(statusOf(url, { ca })).rejects.toThrow(/certificate required|bad certificate/);
    });

    it.each([
      [{ liveRestore: true }, { Running: true }],
      [{ liveRestore: false }, { Running: false }],
    ])("with %o, after a kill and a restart, has containers with %o", async (options, state) => {
      const engine = await started(options);
      const id = await startContainer(engine.host, await testImage(engine.host, "base"));
      await engine.kill();
      await engine.start();
      expect(await stateOf(engine.host, id)).toMatchObject(state);
    });
  });

async function statusOf(url: URL, options: RequestOptions): Promise<number | undefined> {
  const [response] = await once(get(url, options), "response");
  response.resume();
  return response.statusCode;
}

const ownerProgram = fileURLToPath(new URL("children/engine-owner.mjs", import.meta.url));

async function started(options: Parameters<typeof startDockerEngine>[0] = {}) {
  const engine = await startDockerEngine(options);
  onTestFinished(engine.stop);
  return engine;
}
