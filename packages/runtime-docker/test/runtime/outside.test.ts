import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { dockerRuntime } from "../../src/index.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engineRelay } from "../engine/engine-relay.js";
import { engines } from "../engine-setup/engines.js";
import { outside } from "./outside.js";
import { printed } from "./running.js";

describe.each(await engines(["docker", "podman"]))(
  "changes to a container from outside, on $name",
  (engine) => {
    test("DOCK-01: removed from outside, its workspace is WORKSPACE_NOT_FOUND to every call, and its id free again", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await outside(engine.host, subject).remove({ force: true, v: true });
      const gone = { code: "WORKSPACE_NOT_FOUND", details: { workspaceId: "w" } };
      await expect(printed(workspace, "echo hi")).rejects.toMatchObject(gone);
      await expect(workspace.put([{ path: "work/a", content: "" }])).rejects.toMatchObject(gone);
      await expect(workspace.list()).rejects.toMatchObject(gone);
      await expect(workspace.staged()).rejects.toMatchObject(gone);
      expect(await subject.runtime.attach("w")).toBeUndefined();
      expect(await subject.runtime.list()).toEqual([]);
      expect(await subject.runtime.destroy("w")).toBe(false);
      expect(await printed(await subject.runtime.create("w"), "echo hi")).toBe("hi");
    });

    test("DOCK-02: paused from outside, it is resumed by the next call", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await outside(engine.host, subject).pause();
      expect(await printed(workspace, "echo hi")).toBe("hi");
      await outside(engine.host, subject).pause();
      await workspace.put([{ path: "work/a.txt", content: "a" }]);
      await outside(engine.host, subject).pause();
      expect(await subject.other.attach("w")).toBeDefined();
      expect(await subject.other.list()).toEqual(["w"]);
      await outside(engine.host, subject).unpause();
      expect(await printed(workspace, "cat work/a.txt")).toBe("a");
    });

    test("DOCK-02: a command runs in a paused container that another process resumes at the same moment", async () => {
      await using subject = dockerSubject(engine);
      await subject.runtime.create("w");
      await outside(engine.host, subject).pause();
      const paused = await outside(engine.host, subject).inspect();
      await outside(engine.host, subject).unpause();
      const asked: string[] = [];
      // Until it has asked to resume the container, this process sees it as paused.
      await using relay = await engineRelay(engine.host, ({ method, path }) => {
        if (path.endsWith("/unpause")) asked.push(method);
        const isItsState = [paused.Id, paused.Name.slice(1)].some((it) =>
          path.endsWith(`/containers/${it}/json`),
        );
        return isItsState && asked.length === 0 ? { status: 200, answer: paused } : undefined;
      });
      const { image } = engine;
      await using late = dockerRuntime({
        ...{ engine: { host: relay.host }, image, pull: "never" },
        namespace: subject.namespace,
      });
      const workspace = await late.attach("w");
      expect(workspace && (await printed(workspace, "echo hi"))).toBe("hi");
      expect(asked).toContain("POST");
    });

    test("DOCK-02: stopped from outside with files on disk, it is started again with its files", async () => {
      await using subject = dockerSubject(engine, { storage: "disk" });
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo kept > work/a.txt");
      await outside(engine.host, subject).stop({ t: 0 });
      expect(await subject.other.list()).toEqual(["w"]);
      expect(await printed(workspace, "cat work/a.txt")).toBe("kept");
      await outside(engine.host, subject).stop({ t: 0 });
      const attached = await subject.other.attach("w");
      expect(attached && (await printed(attached, "cat work/a.txt"))).toBe("kept");
      await outside(engine.host, subject).restart({ t: 0 });
      expect(await printed(workspace, "cat work/a.txt")).toBe("kept");
    });

    test("DOCK-02: files in memory are gone after a stop from outside: every call reports this with the remedy", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo lost > work/a.txt");
      await outside(engine.host, subject).stop({ t: 0 });
      await isLost(subject, workspace);
    });

    test("DOCK-02: after a restart from outside files in memory are either complete or reported as gone", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo kept > work/a.txt");
      await outside(engine.host, subject).restart({ t: 0 });
      // Podman may not have released the volume meanwhile.
      const seen = await printed(workspace, "cat work/a.txt").catch(() => undefined);
      if (seen === undefined) await isLost(subject, workspace);
      else expect([engine.name, seen]).toEqual(["podman", "kept"]);
    });

    test("a workspace whose files are gone can be created again without being destroyed", async () => {
      await using subject = dockerSubject(engine);
      await subject.runtime.create("w");
      await outside(engine.host, subject).stop({ t: 0 });
      expect(await printed(await subject.other.create("w"), "echo new")).toBe("new");
    });

    test("a workspace can be paused and resumed any number of times, and its files and runs stay", async () => {
      await using subject = dockerSubject(engine);
      const workspace = await subject.runtime.create("w");
      await printed(workspace, "echo kept > work/a.txt");
      await workspace.pause();
      await workspace.pause();
      expect((await outside(engine.host, subject).inspect()).State.Status).toBe("paused");
      await workspace.resume();
      await workspace.resume();
      expect((await outside(engine.host, subject).inspect()).State.Status).toBe("running");
      await workspace.pause();
      expect(await printed(workspace, "cat work/a.txt")).toBe("kept");
      await workspace.pause();
      expect(await subject.other.destroy("w")).toBe(true);
      await expect(workspace.pause()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
      await expect(workspace.resume()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    });
  },
);

async function isLost({ other }: DockerSubject, workspace: RuntimeWorkspace): Promise<void> {
  const lost = {
    code: "WORKSPACE_NOT_FOUND",
    message: expect.stringMatching(/were in memory.*storage: "disk"/),
  };
  await expect(printed(workspace, "cat work/a.txt")).rejects.toMatchObject(lost);
  await expect(workspace.list()).rejects.toMatchObject(lost);
  expect(await other.attach("w")).toBeUndefined();
  expect(await other.destroy("w")).toBe(true);
  expect(await printed(await other.create("w"), "ls work")).toBe("inputs");
}
