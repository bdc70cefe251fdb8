import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { workspaceManager } from "../src/index.js";
import { SESSION, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/leave-workspaces.mjs", import.meta.url));

if (hasAll("packages/workspace/dist")) {
  test("a new process destroys what a killed one would have destroyed, without a registry being passed", async () => {
    await using fixture = await workspaceFixture("none");
    const { runtime, workspaces } = fixture;
    const kept = await workspaces.forSession(SESSION);
    const child = spawn(process.execPath, [script, fixture.directory], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    expect(await runtime.list()).toHaveLength(3);
    // It is alive, so its workspaces are its own.
    expect((await workspaces.sweep()).abandoned).toEqual([]);
    expect(await runtime.list()).toHaveLength(3);
    child.kill("SIGKILL");
    await once(child, "close");
    await using next = workspaceManager({ skills: fixture.skills, runtime });
    const { abandoned, diagnostics } = await next.sweep();
    expect(abandoned).toHaveLength(2);
    expect(diagnostics.map(({ code }) => code)).toEqual(["workspace.abandoned", "workspace.abandoned"]);
    expect(await runtime.list()).toEqual([kept.id]);
  });

  test("a process that closes normally leaves nothing for a sweep", async () => {
    await using fixture = await workspaceFixture("none");
    const child = spawn(process.execPath, [script, fixture.directory], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.stdin.end();
    await once(child, "close");
    expect(child.exitCode).toBe(0);
    expect(await fixture.runtime.list()).toEqual([]);
    expect((await fixture.workspaces.sweep()).diagnostics).toEqual([]);
  });
}
