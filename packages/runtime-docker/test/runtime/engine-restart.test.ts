import { describe, expect, onTestFinished, test } from "vitest";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { testImage } from "../../../../scripts/engines/test-images/test-image.mjs";
import type { DockerRuntimeOptions } from "../../src/index.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines } from "../engine-setup/engines.js";
import { command, printed } from "./running.js";

if ((await engines(["docker"])).length > 0)
  describe("a private engine that is restarted", () => {
    test.each([{}, { runId: "a", keep: true }])(
      "DOCK-03: a run goes on while the engine is away, and its handle follows it again: %o",
      async (more) => {
        const { engine, subject } = await setUp({ liveRestore: true }, { storage: "disk" });
        const workspace = await subject.runtime.create("w");
        const wait = "echo on; until [ -e work/go ]; do sleep 0.02; done; echo over; exit 3";
        const run = await workspace.start(command(wait, more));
        for await (const { bytes } of run.output()) if (String(Buffer.from(bytes)).includes("on")) break;
        await engine.kill("SIGKILL");
        await engine.start();
        await workspace.put([{ path: "work/go", content: "" }]);
        expect(await run.result).toMatchObject({
          exitCode: 3,
          treeEnded: true,
          stdout: { text: "on\nover\n" },
        });
      },
    );

    test("DOCK-03: files in memory that the engine lost track of are reported as gone, and nothing is mixed up", async () => {
      const { engine, subject } = await setUp({ liveRestore: true });
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo lost > work/a.txt");
      await engine.kill("SIGKILL");
      await engine.start();
      const lost = { code: "WORKSPACE_NOT_FOUND", message: expect.stringMatching(/storage: "disk"/) };
      await expect(workspace.put([{ path: "work/b.txt", content: "b" }])).rejects.toMatchObject(lost);
      await expect(printed(workspace, "ls work")).rejects.toMatchObject(lost);
      expect(await subject.other.attach("w")).toBeUndefined();
      expect(await subject.other.destroy("w")).toBe(true);
      expect(await printed(await subject.other.create("w"), "ls work")).toBe("inputs");
    });

    test("DOCK-03: attaching does not disturb a run that another process waits for", async () => {
      const { subject } = await setUp();
      const workspace = await subject.runtime.create("w");
      const run = await workspace.start(command("touch work/begun; sleep 2; echo done"));
      await expect.poll(() => workspace.list("work").then((files) => files.length)).toBe(2);
      const attached = await subject.other.attach("w");
      expect(attached && (await printed(attached, "echo other"))).toBe("other");
      expect((await run.result).stdout.text).toBe("done\n");
    });

    test("while it is unavailable every call says so; when it is back the same runtime works again, with files on disk kept", async () => {
      const { engine, subject } = await setUp({}, { storage: "disk" });
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo kept > work/a.txt");
      await engine.kill("SIGTERM");
      const absent = {
        code: "BACKEND_FAILED",
        message: expect.stringMatching(/no container engine was found at.*Start Docker/),
      };
      await expect(printed(workspace, "echo hi")).rejects.toMatchObject(absent);
      await expect(subject.runtime.attach("w")).rejects.toMatchObject(absent);
      await expect(subject.runtime.destroy("w")).rejects.toMatchObject(absent);
      await engine.start();
      expect(await printed(workspace, "cat work/a.txt")).toBe("kept");
      expect(await subject.other.list()).toEqual(["w"]);
    });

    test("files in memory are gone after a restart, which every call reports, and the workspace can be created again", async () => {
      const { engine, subject } = await setUp();
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo lost > work/a.txt");
      await engine.kill("SIGKILL");
      await engine.start();
      await expect(printed(workspace, "cat work/a.txt")).rejects.toMatchObject({
        code: "WORKSPACE_NOT_FOUND",
        message: expect.stringMatching(/were in memory.*restarted.*storage: "disk"/),
      });
      expect(await subject.other.list()).toEqual([]);
      expect(await subject.other.attach("w")).toBeUndefined();
      expect(await printed(await subject.other.create("w"), "ls work")).toBe("inputs");
    });
  });

async function setUp(
  options: Parameters<typeof startDockerEngine>[0] = {},
  more: DockerRuntimeOptions = {},
): Promise<{ engine: Awaited<ReturnType<typeof startDockerEngine>>; subject: DockerSubject }> {
  const engine = await startDockerEngine(options);
  onTestFinished(engine.stop);
  const image = await testImage(engine.host, "base");
  const subject = dockerSubject({ host: engine.host, image }, more);
  onTestFinished(subject.dispose);
  return { engine, subject };
}
