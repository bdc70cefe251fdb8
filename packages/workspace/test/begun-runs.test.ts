import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkspaceRun } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { SESSION, testIsolations, workspaceFixture } from "./workspace-fixture.js";

const script = fileURLToPath(new URL("children/begun-run.mjs", import.meta.url));
const run: WorkspaceRun = {
  skill: "demo",
  command: 'echo ran >> "$WORK_DIR/count"; echo text > "$OUTPUT_DIR/a.txt"; sh scripts/hello.sh you',
  outputs: { globs: ["out/**"], save: true },
};

describe.each(await testIsolations())("runs with a key, isolation %s", (isolation) => {
  test("KEY-01: a second run with a key gets the result of the first, with its outputs, and runs nothing", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces, artifacts } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.write(id, "out/old.txt", "old");
    const first = await workspaces.run(id, run, { key: "turn call" });
    const second = await workspaces.run(id, run, { key: "turn call" });
    const { durationMs: _, ...known } = second;
    expect(first).toMatchObject({ ...known, durationMs: expect.any(Number) });
    expect(second.stdout.text).toBe("hello you\n");
    expect(second.outputs.map((file) => [file.path, file.unchanged])).toEqual([
      ["out/a.txt", false],
      ["out/old.txt", true],
    ]);
    expect(second.outputs[0]?.artifact?.version).toBe(0);
    expect(await artifacts.versions(SESSION, "out/a.txt")).toHaveLength(1);
    const { stdout } = await workspaces.run(id, { command: "cat work/count" }, { key: "another" });
    expect(stdout.text).toBe("ran\n");
  });

  if (hasAll("packages/workspace/dist"))
    test("KEY-03: a run whose process was killed goes on, and another process collects all of it", async () => {
      await using fixture = await workspaceFixture(isolation);
      const { workspaces, directory } = fixture;
      const long: WorkspaceRun = {
        command:
          "echo ran >> work/count; echo begun; until [ -e work/go ]; do sleep 0.02; done; echo x > out/b; echo end",
        outputs: { globs: ["out/**"], save: true },
      };
      const given = [
        path.join(directory, "workspaces"),
        isolation,
        JSON.stringify(SESSION),
        JSON.stringify(long),
      ];
      const child = spawn(process.execPath, [script, ...given, "k"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [id] = (await once(child.stdout, "data")).map((bytes) => String(bytes).trim());
      child.kill("SIGKILL");
      await once(child, "close");
      expect((await workspaces.forSession(SESSION)).id).toBe(id);
      const again = workspaces.run(String(id), long, { key: "k" });
      await workspaces.write(String(id), "work/go", "");
      const { stdout, outputs, exitCode } = await again;
      expect([exitCode, stdout.text]).toEqual([0, "begun\nend\n"]);
      expect(outputs).toMatchObject([{ path: "out/b", unchanged: false, artifact: { version: 0 } }]);
      const { stdout: count } = await workspaces.run(String(id), { command: "cat work/count" });
      expect(count.text).toBe("ran\n");
    });
});
