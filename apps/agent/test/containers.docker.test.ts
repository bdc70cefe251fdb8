import { readFile } from "node:fs/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { engines } from "../../../packages/runtime-docker/test/engine-setup/engines.js";
import { demo } from "../src/terminal/demo.js";
import { SHOUT } from "./test-agent.js";
import { testTerminal } from "./test-terminal.js";

describe.each(await engines(["docker", "podman"]))("the agent with --runtime docker, on $name", (engine) => {
  test("a file goes into a container, a skill runs there, and what it made is saved", async () => {
    vi.stubEnv("DOCKER_HOST", engine.host);
    onTestFinished(() => void vi.unstubAllEnvs());
    const terminal = await testTerminal({
      "bundled/shout/SKILL.md": SHOUT["SKILL.md"],
      "bundled/shout/shout.sh": SHOUT["shout.sh"],
      "notes/my note.txt": "hello\n",
    });
    const app = await terminal.open(["--runtime", "docker", "--image", engine.image]);
    expect(app.isolation.level).toBe("container");
    const request = 'Write "notes/my note.txt" in capital letters';
    const code = await demo(terminal.screen, app, { request, files: [] }, new AbortController().signal);
    const shown = terminal.shown();
    expect(code, shown).toBe(0);
    expect(shown).toMatch(/exit code 0, isolation: container \(/);
    const saved = /\nSaved:\n {2}(\/.*)\n/.exec(shown)?.[1] ?? "";
    expect(await readFile(saved, "utf8")).toBe("HELLO\n");
  });
});

describe.each(await engines(["docker"]))("an engine that has not the image, on $name", ({ host }) => {
  test("is told before anything runs, with what to do", async () => {
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
