import { describe, expect, onTestFinished, test, vi } from "vitest";
import { engines } from "../../runtime-docker/test/engine-setup/engines.js";
import { cliFixture } from "./cli-fixture.js";

describe.each(await engines(["docker", "podman"]))("doctor beside $name", ({ host }) => {
  test("tries the engine, pulls nothing, and says that the image is missing and what to do", async () => {
    vi.stubEnv("DOCKER_HOST", host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { cli } = await cliFixture();
    const { code, out } = await cli(["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/! containers .*has no image node:22-bookworm-slim.*Pull or build it/);
  });
});
