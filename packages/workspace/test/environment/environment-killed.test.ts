import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { environmentStore } from "../../src/index.js";
import { DEMO, SESSION, workspaceFixture } from "../workspace-fixture.js";
import { configuredIndex, requirement, wheel } from "./package-index.js";

const script = fileURLToPath(new URL("../children/prepare-environment.mjs", import.meta.url));
const ALPHA = wheel("alpha", "1.0.0", "alpha speaks");
const BETA = wheel("beta", "2.0.0", "beta speaks");

if (hasAll("bubblewrap", "pip or ensurepip", "packages/workspace/dist"))
  describe("a process killed while it prepares packages", () => {
    test("PKG-07: leaves nothing half: the next process prepares them from the beginning", async () => {
      await using fixture = await workspaceFixture("sandbox", (directory) => ({
        environments: environmentStore({ root: path.join(directory, "environments") }),
      }));
      const { directory, repository, runtime, workspaces } = fixture;
      const files = { ...DEMO, "requirements.txt": requirement(ALPHA) + requirement(BETA) };
      await repository.upload(Object.entries(files).map(([path, content]) => ({ path, content })));
      let silent = true;
      await using index = await configuredIndex(
        [ALPHA, BETA],
        (url) => silent && url.endsWith(BETA.fileName),
      );
      const { NODE_OPTIONS, VITEST, ...env } = process.env;
      const child = spawn(process.execPath, [script, directory, JSON.stringify(files)], {
        env,
        stdio: "inherit",
      });
      const closed = once(child, "close");
      await vi.waitFor(() => expect(index.asked.some((url) => url.endsWith(BETA.fileName))).toBe(true), {
        timeout: 120_000,
      });
      child.kill("SIGKILL");
      expect(await closed).toEqual([null, "SIGKILL"]);
      silent = false;
      const { id } = await workspaces.forSession(SESSION);
      const command = 'python3 -c "import alpha, beta; print(alpha.TEXT, beta.TEXT)"';
      const run = { skill: "demo", command };
      const { stdout } = await workspaces.run(id, run, { approveInstall: async () => true });
      expect(stdout.text).toBe("alpha speaks beta speaks\n");
      expect((await runtime.list()).filter((id) => id.startsWith("environment-"))).toEqual([]);
      const kept = await readdir(path.join(directory, "environments"));
      expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    });
  });
