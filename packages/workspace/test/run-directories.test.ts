import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { workspaceManager } from "../src/index.js";
import { SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

async function runsIn(workspace: RuntimeWorkspace | undefined): Promise<readonly string[]> {
  const entries = (await workspace?.list("runs")) ?? [];
  return [...new Set(entries.map(({ path }) => path.split("/")[1] ?? ""))];
}

describe.each(await testIsolations())("directories of runs, isolation %s", (isolation) => {
  test("the last 20 to 40 are kept, including those of an earlier process, and so are directories that do not belong to a run", async () => {
    await using fixture = await workspaceFixture(isolation);
    await using earlier = workspaceManager({ skills: fixture.skills, runtime: fixture.runtime });
    const { id } = await earlier.forSession(SESSION);
    const workspace = await fixture.runtime.attach(id);
    const old = Array.from({ length: 45 }, (_, index) => `run_20200101T0000${10 + index}000Z_0000000a`);
    await workspace?.put([...old, "kept"].map((name) => ({ path: `runs/${name}/x`, content: "x" })));
    const { runId } = await fixture.workspaces.run(id, { command: 'echo 1 > "$RUN_DIR/mine"' });
    expect(await runsIn(workspace)).toEqual(["kept", ...old.slice(26), runId]);
    const ids = [runId];
    const runMore = async () => ids.push((await fixture.workspaces.run(id, { command: "true" })).runId);
    for (let count = 0; count < 20; count++) await runMore();
    expect(await runsIn(workspace)).toEqual(["kept", ...old.slice(26), ...ids]);
    await runMore();
    expect(await runsIn(workspace)).toEqual(["kept", ...ids.slice(-20)]);
  });

  test("an input may be read from an earlier run's directory while that exists", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const { runId } = await fixture.workspaces.run(id, { command: 'echo made > "$RUN_DIR/a.txt"' });
    const inputs = [{ from: `workspace://runs/${runId}/a.txt` }];
    const { stdout } = await fixture.workspaces.run(id, { command: "cat work/inputs/a.txt", inputs });
    expect(stdout.text).toBe("made\n");
  });

  test("a link that a command put in a run's place is removed, not followed", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.write(id, "work/kept/a.txt", "a");
    await fixture.workspaces.run(id, { command: 'rm -rf "$RUN_DIR"; ln -s ../work/kept "$RUN_DIR"' });
    for (let count = 0; count < 40; count++) await fixture.workspaces.run(id, { command: "true" });
    expect((await fixture.workspaces.files(id)).map(({ path }) => path)).toEqual(["work/kept/a.txt"]);
  });
});
