import { describe, expect, onTestFinished, test, vi } from "vitest";
import { engines } from "../../runtime-docker/test/engine-setup/engines.js";
import { cliFixture } from "./cli-fixture.js";

describe.each(await engines(["docker", "podman"]))("doctor with $name", ({ host }) => {
  test("checks the engine, pulls nothing, and reports the missing image with a remedy", async () => {
    vi.stubEnv("DOCKER_HOST", host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { cli } = await cliFixture();
    const { code, out } = await cli(["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/! containers .*has no image node:22-bookworm-slim.*Pull or build it/);
  });
});
