import { randomBytes } from "node:crypto";
import { Secret, SkillError } from "@skillwright/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startImageRegistry } from "../../../../scripts/engines/image-registry.mjs";
import { connectEngine, type OpenedEngine } from "../../src/engine/connect-engine.js";
import { imageSource } from "../../src/image/ensure-image.js";
import type { PullProgress } from "../../src/image/image-options.js";
import { engines } from "../engine-setup/engines.js";

const credentials = { username: "somebody", password: "correct: horse" };

describe.each(await engines(["docker", "podman"]))("images of a registry, on $name", ({ host }) => {
  test("a missing image is pulled once, with its progress reported", async () => {
    const { engine, image, pulls } = await setUp(host);
    const told: PullProgress[] = [];
    const source = imageSource({ image, onPull: (progress) => told.push(progress) });
    const facts = await source(engine);
    expect(facts).toMatchObject({ reference: image, id: expect.stringMatching(/[0-9a-f]{64}$/) });
    expect(told.length).toBeGreaterThan(0);
    expect(told.every((progress) => progress.image === image && progress.status !== "")).toBe(true);
    expect((await source(engine)).id).toBe(facts.id);
    expect(pulls).toHaveBeenCalledTimes(1);
  });

  test("concurrent requests pull a missing image once", async () => {
    const { engine, image, pulls } = await setUp(host);
    const source = imageSource({ image });
    const ids = (await Promise.all([source(engine), source(engine), source(engine)])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(pulls).toHaveBeenCalledTimes(1);
  });

  test("with pull: never nothing is pulled, and the error names the remedy", async () => {
    const { engine, image, pulls } = await setUp(host);
    await expect(imageSource({ image, pull: "never" })(engine)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/has no image .* pull: "never".*Pull or build it/),
      details: { image },
    });
    expect(pulls).not.toHaveBeenCalled();
  });

  test("with pull: always the registry is queried once per runtime, and a newer image is pulled", async () => {
    const { engine, image, registry, pulls } = await setUp(host);
    const [first, second] = [imageSource({ image, pull: "always" }), imageSource({ image, pull: "always" })];
    const old = (await first(engine)).id;
    await registry.publish(image.slice(image.indexOf("/") + 1), { padding: 1000 });
    expect((await first(engine)).id).toBe(old);
    expect(pulls).toHaveBeenCalledTimes(1);
    expect((await second(engine)).id).not.toBe(old);
  });

  test("an image that the registry does not have is CONFIG_INVALID with its name", async () => {
    const { engine, image } = await setUp(host);
    const wrong = `${image}-of-old`;
    await expect(imageSource({ image: wrong })(engine)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(wrong),
    });
  });

  test.each([
    ["no", undefined, /Give the option auth/],
    ["wrong", { ...credentials, password: "hunter2-wrong" }, /rejected the credentials/],
  ])("%s credentials are reported as such, and never printed", async (_, auth, remedy) => {
    const { engine, image } = await setUp(host, credentials);
    const error = await imageSource({ image, auth })(engine).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(remedy) });
    expect(SkillError.is(error) && JSON.stringify([error.message, error.details])).not.toContain("hunter2");
  });

  test("correct credentials pull the image; the password is a Secret", async () => {
    const { engine, image } = await setUp(host, credentials);
    const auth = { ...credentials, password: new Secret(credentials.password) };
    expect((await imageSource({ image, auth })(engine)).reference).toBe(image);
  });

  test("an unreachable registry is BACKEND_FAILED, not a missing image", async () => {
    const engine = await connected(host);
    await expect(imageSource({ image: "127.0.0.1:9/tools/none:1" })(engine)).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(/Check whether the engine can reach the registry/),
    });
  });
});

test.each(["", "UPPER CASE", "a:b:c", "http://x/y", "a//b", "../a", "a/", "a".repeat(600), "-a", "a?x=1"])(
  "%j is refused as an image name before any request",
  (image) => {
    expect(() => imageSource({ image })).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  },
);

test.each([
  "node",
  "node:22-bookworm-slim",
  "127.0.0.1:5000/tools/a_b.c-d:1.0",
  "Registry.Example.org/x",
  `x@sha256:${"a".repeat(64)}`,
  `sha256:${"a".repeat(64)}`,
])("%s is accepted as an image name", (image) => {
  expect(() => imageSource({ image })).not.toThrow();
});

async function setUp(host: string, protection?: typeof credentials) {
  const registry = await startImageRegistry(protection ? { credentials: protection } : {});
  onTestFinished(registry.stop);
  const image: string = await registry.publish(`tools/${randomBytes(6).toString("hex")}:1`, {
    padding: 100_000,
  });
  const engine = await connected(host);
  return { engine, image, registry, pulls: vi.spyOn(engine.docker, "createImage") };
}

async function connected(host: string): Promise<OpenedEngine> {
  const engine = await connectEngine({ engine: { host }, callTimeoutMs: 30_000 });
  onTestFinished(() => engine.close());
  return engine;
}
