import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SHOUT } from "../../../packages/agent/test/test-agent.js";
import { engines } from "../../../packages/runtime-docker/test/engine-setup/engines.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { served } from "./served-app.js";
import { shoutJob } from "./shout-job.js";
import { testTerminal } from "./test-terminal.js";

describe.each(await engines(["docker", "podman"]))("the agent with --runtime docker, on $name", (engine) => {
  test("a file is uploaded to a container, a skill runs there, and its outputs are saved", async () => {
    vi.stubEnv("DOCKER_HOST", engine.host);
    onTestFinished(() => void vi.unstubAllEnvs());
    await shoutJob(["--runtime", "docker", "--image", engine.image], { level: "container" });
  });
});

describe.each(await engines(["docker"]))("a skill that needs Python, on $name", ({ host, image }) => {
  const open = async (image: string) => {
    vi.stubEnv("DOCKER_HOST", host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const terminal = await testTerminal({
      "bundled/sums/SKILL.md":
        "---\nname: sums\ndescription: Adds numbers.\ncompatibility: Requires python3\n---\nRun `python3 sums.py`.",
    });
    return (await terminal.open(["--runtime", "docker", "--image", image])).snapshot;
  };

  test("is not offered with an image without Python, which is told with image and remedy", async () => {
    const { skills, diagnostics } = await open(image);
    expect(skills.map(({ name }) => name)).toEqual([]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "skill.ineligible",
        message: expect.stringContaining(`needs "python3", which the image ${image} lacks`),
        hint: expect.stringMatching(/--image.*docker\/skill-runner/),
      }),
    );
  });

  test("is offered with an image that has Python", async () => {
    const [full] = await engines(["docker"], "full");
    const { skills } = await open(full?.image ?? "");
    expect(skills.map(({ name }) => name)).toEqual(["sums"]);
  });
});

describe.each(await engines(["docker"]))("an engine without the image, on $name", ({ host }) => {
  test("is reported before anything runs, with the remedy", async () => {
    vi.stubEnv("DOCKER_HOST", host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const terminal = await testTerminal({ "bundled/shout/SKILL.md": SHOUT["SKILL.md"] });
    const opening = terminal.open(["--runtime", "docker", "--image", "127.0.0.1:9/nothing/here:1"]);
    await expect(opening).rejects.toMatchObject({
      code: expect.stringMatching(/^(CONFIG_INVALID|BACKEND_FAILED)$/),
      message: expect.stringContaining("127.0.0.1:9/nothing/here:1"),
    });
  });
});

if (hasAll("apps/agent/dist"))
  describe.each(await engines(["docker"]))("--serve with --runtime docker, on $name", ({ host, image }) => {
    test("SERVE-72: the next server finds the files of a conversation, and removes its container with it", async () => {
      vi.stubEnv("DOCKER_HOST", host);
      onTestFinished(() => void vi.unstubAllEnvs());
      const folder = await mkdtemp(join(tmpdir(), "skillwright-serve-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const start = () => served(folder, "--serve", "--runtime", "docker", "--image", image);
      const first = await start();
      await first.ask("/conversations", { id: "one" });
      expect((await first.upload("/conversations/one/uploads/a.txt", "kept")).status).toBe(201);
      await first.end();
      const next = await start();
      expect(await (await next.ask("/workspaces")).json()).toMatchObject([{ conversation: "one" }]);
      const file = await next.ask("/conversations/one/files/text?path=work/inputs/a.txt");
      expect(await file.json()).toMatchObject({ text: "kept" });
      expect((await next.remove("/conversations/one")).status).toBe(204);
      expect(await (await next.ask("/workspaces")).json()).toEqual([]);
    });
  });
