import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownHost } from "../src/host/own-host.js";
import { processExists } from "../src/host/process-identity.js";
import { NO_GROUPS } from "../src/limits/control-group-hierarchies.js";
import { limitedRuns } from "../src/limits/limited-runs.js";
import { ownServer } from "../src/served/own-server.js";
import { temporaryDirectory } from "./local-subject.js";

const supervisor = ownHost().supervisor ?? "";

/** A scope whose program executes the command after it, as `systemd-run --scope` does. */
function scopeOf(program: readonly string[]) {
  const entered: number[] = [];
  const failed = (said: string) => new SkillError("BACKEND_FAILED", `no scope: ${said}`);
  const scope = {
    command: () => program,
    env: { PATH: "/usr/bin:/bin" },
    entered: (pid: number) => void entered.push(pid),
    failed,
  };
  return { entered, scope };
}

if (hasAll("supervisor")) {
  test("each process that starts runs is put into its scope before it starts one", async () => {
    const { entered, scope } = scopeOf(["/usr/bin/env", "--"]);
    const server = ownServer(supervisor, scope);
    onTestFinished(() => server.close());
    await Promise.all([server.open(), server.open()]);
    expect(entered).toEqual([expect.any(Number)]);
    const [first = 0] = entered;
    process.kill(first, "SIGKILL");
    await expect.poll(() => processExists(first)).toBe(false);
    await server.open();
    expect(entered).toHaveLength(2);
    expect(entered[1]).not.toBe(first);
  });

  test("if the scope cannot be created, the error contains the output of the program", async () => {
    const { entered, scope } = scopeOf(["/bin/sh", "-c", "echo Access denied >&2; exit 1"]);
    await expect(ownServer(supervisor, scope).open()).rejects.toThrow("no scope: Access denied");
    const absent = scopeOf(["/absent/systemd-run"]);
    await expect(ownServer(supervisor, absent.scope).open()).rejects.toThrow(/no scope: .*ENOENT/);
    expect([...entered, ...absent.entered]).toEqual([]);
  });

  test("if there is no scope, runs start as usual, and the reason and the remedy are reported", async () => {
    const { path, remove } = await temporaryDirectory();
    onTestFinished(remove);
    const runner = join(path, "systemd-run");
    await writeFile(runner, "#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n");
    await chmod(runner, 0o755);
    const unified = { mountPoint: path, name: "/user.slice/user-1000.slice/session-3.scope" };
    const systemd = { isRunning: () => true, delegates: async () => false, runner: async () => runner };
    const inForce = { supervisor, sandbox: {} as never };
    const { server, groups, noGroups } = await limitedRuns(inForce, { ...NO_GROUPS, unified }, systemd);
    onTestFinished(() => server?.close());
    expect(groups).toBeUndefined();
    expect(noGroups).toEqual({
      why: "systemd gave no scope to this process (Failed to connect to bus: No medium found)",
      remedy: expect.stringContaining("loginctl enable-linger"),
    });
    await server?.open();
  });
}
