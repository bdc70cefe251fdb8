import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { recordRegistry } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { destroyWhenIdle, workspaceManager } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/make-workspaces.mjs", import.meta.url));
const begun = fileURLToPath(new URL("children/begun-run.mjs", import.meta.url));

if (hasAll("packages/workspace/dist")) {
  test("LIFE-05: workspaces of a killed host are removed when they expire; those that a live one uses stay", async () => {
    await using fixture = await workspaceFixture("none");
    const { runtime, skills, directory } = fixture;
    const child = spawn(process.execPath, [script, directory], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const registry = () => recordRegistry(fsRecords({ root: path.join(directory, "registry") }));
    await using living = workspaceManager({ runtime, skills, registry: registry() });
    const own = await living.forSession(SESSION);
    expect(await runtime.list()).toHaveLength(11);
    const policies = [destroyWhenIdle("300ms")];
    await using host = workspaceManager({ runtime, skills, policies, registry: registry() });
    const running = living.run(own.id, { command: "until [ -f work/go ]; do sleep 0.05; done; echo ok" });
    // The other process's run also counts as use, because that process is alive.
    await host.capabilities();
    await vi.waitFor(async () => expect(await runtime.list()).toHaveLength(2), { timeout: 180_000 });
    child.kill("SIGKILL");
    await once(child, "close");
    await vi.waitFor(async () => expect(await runtime.list()).toEqual([own.id]), { timeout: 180_000 });
    await living.write(own.id, "work/go", "");
    expect((await running).stdout.text).toBe("ok\n");
  });

  test("CONC-04: the run of a killed host is ended before the next one in its workspace starts", async () => {
    await using fixture = await workspaceFixture("none");
    const { runtime, skills, directory } = fixture;
    const run = { command: "echo $$ > work/pid; echo up; exec sleep 600" };
    const begins = [path.join(directory, "workspaces"), "none", JSON.stringify(SESSION), JSON.stringify(run)];
    const child = spawn(process.execPath, [begun, ...begins], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [id] = await once(child.stdout.setEncoding("utf8"), "data");
    child.kill("SIGKILL");
    await once(child, "close");
    await using next = workspaceManager({ runtime, skills });
    const { exitCode } = await next.run(id.trim(), { command: "kill -0 $(cat work/pid)" });
    expect(exitCode).toBe(1);
  });
}
