import { describe, expect, it, onTestFinished } from "vitest";
import { engineRequest } from "../../../../scripts/engines/engine-request.mjs";
import { startImageRegistry } from "../../../../scripts/engines/image-registry.mjs";
import { hasAll } from "../../../../test/needs/has-all.js";
import { engines } from "./engines.js";
import { exitCodeOf } from "./plain-container.js";

const credentials = { username: "somebody", password: "correct: horse" };

const targets = hasAll("an image registry") ? await engines(["docker", "podman"]) : [];

describe.each(targets)("a registry on loopback, for $name", ({ host }) => {
  it("serves an image with its own layers to everyone", async () => {
    const registry = await started();
    const image = await registry.publish("tools/runner:1", { padding: 100_000 });
    expect(await pull(host, image)).not.toMatch(/error/i);
    expect(await exitCodeOf(host, image, ["bash", "-c", "[ $(stat -c %s /padding) = 100000 ]"])).toBe(0);
  });

  it("requires the correct credentials if some are configured", async () => {
    const registry = await started({ credentials });
    const image = await registry.publish("closed:1");
    expect(await pull(host, image)).toMatch(/no basic auth|unauthorized/);
    expect(await pull(host, image, { ...credentials, password: "wrong" })).toMatch(/unauthorized/);
    expect(await pull(host, image, credentials)).not.toMatch(/error/i);
  });
});

async function started(options: Parameters<typeof startImageRegistry>[0] = {}) {
  const registry = await startImageRegistry(options);
  onTestFinished(registry.stop);
  return registry;
}

async function pull(host: string, image: string, auth?: typeof credentials): Promise<string> {
  const headers = auth && { "x-registry-auth": Buffer.from(JSON.stringify(auth)).toString("base64url") };
  const path = `/images/create?fromImage=${encodeURIComponent(image)}`;
  return (await engineRequest(host, "POST", path, { ...(headers && { headers }) })).text;
}
