import { describe, expect, onTestFinished, test } from "vitest";
import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import type { DockerRuntimeOptions } from "../../src/index.js";
import { containerStreams } from "../../src/stream/container-streams.js";
import { containerPlace, told } from "../container/container-place.js";
import { dockerSubject } from "../docker-subject.js";
import { engineRelay } from "../engine/engine-relay.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { outside } from "./outside.js";
import { command, printed } from "./running.js";

const GONE = { code: "WORKSPACE_NOT_FOUND", details: { workspaceId: "w" } };

describe.each(await engines(["docker", "podman"]))(
  "an engine that keeps the connection to a container that has ended, on $name",
  (engine) => {
    describe.each(["for ever", "until used"] as const)("%s", (until) => {
      test("DOCK-01: a run in a container that was removed is WORKSPACE_NOT_FOUND", async () => {
        const { workspace, container, keepStreams } = await kept(engine);
        await printed(workspace, "true");
        keepStreams(until);
        await container.remove({ force: true, v: true });
        await expect(printed(workspace, "echo hi")).rejects.toMatchObject(GONE);
      });

      test("DOCK-02: a run in a container that was stopped starts it again, and runs once", async () => {
        const { workspace, container, keepStreams } = await kept(engine, { storage: "disk" });
        await printed(workspace, "echo first >> work/a");
        keepStreams(until);
        await container.stop({ t: 0 });
        expect(await printed(workspace, "echo second >> work/a; cat work/a")).toBe("first\nsecond");
        keepStreams(until);
        await container.restart({ t: 0 });
        expect(await printed(workspace, "echo third >> work/a; cat work/a")).toBe("first\nsecond\nthird");
      });
    });

    test.each(["stop", "remove"] as const)("a run ends with its container: %s", async (how) => {
      const { workspace, container, keepStreams } = await kept(engine);
      const run = await workspace.start(command("echo begun; sleep 600", { timeoutMs: 600_000 }));
      for await (const _ of run.output()) break;
      keepStreams();
      await (how === "stop" ? container.stop({ t: 0 }) : container.remove({ force: true, v: true }));
      const { exitCode, timedOut, treeEnded, diagnostics } = await run.result;
      expect({ exitCode, timedOut, treeEnded }).toEqual({ exitCode: 137, timedOut: false, treeEnded: true });
      expect(diagnostics.map(({ code }) => code)).toContain(
        how === "stop" ? "container.stopped" : "container.removed",
      );
    });

    test("a paused container keeps its connection and its run", async () => {
      const { workspace, container } = await kept(engine);
      const run = await workspace.start(command("echo begun; read line; echo $line", { interactive: true }));
      for await (const _ of run.output()) break;
      await container.pause();
      expect(await printed(workspace, "echo beside")).toBe("beside");
      await run.write(Buffer.from("on\n"));
      await run.endInput();
      expect((await run.result).stdout.text).toBe("begun\non\n");
    });
  },
);

describe.each(await engines(["docker"]))("connections to containers, on $name", (engine) => {
  test("closing the engine also closes a connection that is being opened", async () => {
    await using place = await containerPlace(engine);
    const container = await place.make("a");
    const before = await connections(container);
    const streams = containerStreams();
    const opened = streams.open(container);
    streams.close();
    await expect(opened).rejects.toMatchObject({ code: "CLOSED" });
    await expect.poll(() => connections(container)).toBe(before);
  });
});

/** The number of processes in the container that connect a host with the supervisor. */
async function connections(container: WorkspaceContainer): Promise<number> {
  const script = "grep -lsa connect /proc/[0-9]*/cmdline | wc -l";
  return Number(await told(container, script, "root"));
}

/** A workspace behind a relay, and its container as another program sees it. */
async function kept({ host, image }: TestEngine, options: DockerRuntimeOptions = {}) {
  const relay = await engineRelay(host, () => undefined);
  const subject = dockerSubject({ host: relay.host, image }, options);
  onTestFinished(async () => {
    await subject.dispose();
    await relay[Symbol.asyncDispose]();
  });
  const workspace = await subject.runtime.create("w");
  return { workspace, container: outside(host, subject), keepStreams: relay.keepStreams };
}
