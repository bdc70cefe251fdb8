import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { type BootstrapStep, fsBootstrapCache, workspaceManager } from "../src/index.js";
import { SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/bootstrap-workspace.mjs", import.meta.url));

if (hasAll("packages/workspace/dist"))
  describe.each(await testIsolations())("a process killed during bootstrap, isolation %s", (isolation) => {
    test("in a command: the next process starts the step again, without the partial result", async () => {
      await using fixture = await workspaceFixture(isolation);
      const { skills, runtime, directory } = fixture;
      const make = "mkdir work/dir && echo a > work/dir/$(date +%s%N)";
      const commands = [`${make} && touch work/half && { test -e work/go || sleep 60; }`];
      const step: BootstrapStep = { name: "slow", commands, cache: ["work/dir"] };
      const { id } = await fixture.workspaces.forSession(SESSION);
      await killedWhen(directory, isolation, step, () =>
        exists(path.join(directory, "workspaces", id, "tree/work/half")),
      );
      await fixture.workspaces.write(id, "work/go", "");
      const bootstrapCache = fsBootstrapCache({ root: path.join(directory, "cache") });
      const workspaces = workspaceManager({ skills, runtime, bootstrap: [step], bootstrapCache });
      const { stdout, exitCode } = await workspaces.run(id, { command: "ls work/dir" });
      expect({ exitCode, files: stdout.text.trim().split("\n").length }).toEqual({ exitCode: 0, files: 1 });
      // The partial result must not reach other workspaces either.
      expect(await readdir(path.join(directory, "cache")).catch(() => [])).toEqual([]);
    });
  });

// The host's process fills the cache, in the same way under every isolation.
if (hasAll("packages/workspace/dist"))
  test("a process killed while it fills the cache leaves no partial entry that the next workspace finds", async () => {
    await using fixture = await workspaceFixture("none");
    const { skills, runtime, directory } = fixture;
    const make = "mkdir work/dir && head -c 200000000 /dev/zero > work/dir/large && echo end > work/dir/end";
    const step: BootstrapStep = { name: "large", commands: [make], cache: ["work/dir"] };
    const cache = path.join(directory, "cache");
    await killedWhen(directory, "none", step, async () => {
      const [part] = await readdir(cache);
      expect(part).toMatch(/\.part$/);
      expect((await stat(path.join(cache, String(part)))).size).toBeGreaterThan(0);
    });
    const bootstrapCache = fsBootstrapCache({ root: cache });
    const workspaces = workspaceManager({ skills, runtime, bootstrap: [step], bootstrapCache });
    const { id } = await workspaces.forSession({ ...SESSION, session: "s2" });
    const ended: boolean[] = [];
    const { stdout } = await workspaces.run(
      id,
      { command: "wc -c < work/dir/large; cat work/dir/end" },
      { onEvent: (event) => event.type === "bootstrap.ended" && ended.push(event.fromCache) },
    );
    expect(stdout.text).toBe("200000000\nend\n");
    expect(ended).toEqual([false]);
  });

/** Runs the bootstrap in another process, and kills it as soon as `isReady` no longer throws. */
async function killedWhen(
  directory: string,
  isolation: string,
  step: BootstrapStep,
  isReady: () => Promise<void>,
): Promise<void> {
  const { NODE_OPTIONS, VITEST, ...env } = process.env;
  const parameters = [script, directory, isolation, JSON.stringify(step)];
  const child = spawn(process.execPath, parameters, { env, stdio: ["ignore", "inherit", "inherit"] });
  const closed = once(child, "close");
  await vi.waitFor(isReady, { timeout: 120_000, interval: 5 });
  child.kill("SIGKILL");
  expect(await closed).toEqual([null, "SIGKILL"]);
}

async function exists(file: string): Promise<void> {
  await stat(file);
}
