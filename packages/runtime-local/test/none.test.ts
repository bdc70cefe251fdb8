import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceRuntime } from "@skillwright/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { findProgram, SYSTEM_DIRECTORIES } from "../src/host/find-program.js";
import { ownHost } from "../src/host/own-host.js";
import type { SandboxHost } from "../src/isolation/sandbox.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import type { LocalRuntimeOptions } from "../src/local-runtime-options.js";
import { temporaryDirectory } from "./local-subject.js";
import { markedSleep, printed, processesWith, runText } from "./running.js";

const linux: SandboxHost = { ...ownHost(), platform: "linux" };
const undo: (() => Promise<void>)[] = [];

async function runtimeOn(
  host: SandboxHost,
  isolation: LocalRuntimeOptions["isolation"],
): Promise<WorkspaceRuntime> {
  const { path, remove } = await temporaryDirectory();
  const runtime = localRuntimeOn(host, { root: path, isolation });
  undo.push(async () => {
    await runtime.close();
    await remove();
  });
  return runtime;
}

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

describe("where there is no sandbox", () => {
  test("sandbox refuses everything, and gives the reason and the remedy", async () => {
    const runtime = await runtimeOn({ ...linux, directories: [] }, "sandbox");
    for (const call of [runtime.capabilities(), runtime.create("w1")])
      await expect(call).rejects.toMatchObject({
        code: "ISOLATION_UNAVAILABLE",
        message: expect.stringMatching(/bwrap.*not found.*apt-get install bubblewrap.*isolation: "none"/s),
      });
    expect(await runtime.list()).toEqual([]);
  });

  test("on other systems than Linux the reason says so", async () => {
    const runtime = await runtimeOn({ ...linux, platform: "darwin" }, "sandbox");
    await expect(runtime.create("w1")).rejects.toMatchObject({
      code: "ISOLATION_UNAVAILABLE",
      message: expect.stringMatching(/Linux.*darwin.*container/s),
    });
  });

  test("`auto` runs without isolation, and reports it with the remedy once in the capabilities and once in every result", async () => {
    const runtime = await runtimeOn({ ...linux, directories: [] }, "auto");
    const {
      isolation,
      endsTree,
      networkOff,
      readOnlySkills,
      diagnostics: known = [],
    } = await runtime.capabilities();
    const told = known.filter(({ code }) => ["isolation.none", "limit.default-not-enforced"].includes(code));
    expect(told).toMatchObject([
      {
        message: expect.stringMatching(/no default limits.*not found/),
        hint: expect.stringContaining("apt-get"),
      },
    ]);
    expect(isolation).toEqual({ level: "none", by: expect.stringContaining("not found") });
    expect({ endsTree, networkOff, readOnlySkills }).toEqual({
      endsTree: linux.supervisor !== undefined,
      networkOff: false,
      readOnlySkills: false,
    });
    const result = await runText(await runtime.create("w1"), "true");
    expect(result.isolation).toEqual(isolation);
    expect(result.diagnostics).toContainEqual(told[0]);
    expect(result.diagnostics.map(({ code }) => code)).toEqual([
      "isolation.none",
      "network.open",
      ...(linux.supervisor === undefined ? ["run.tree-not-certain"] : []),
    ]);
  });

  test("a bwrap that other users could have placed is not used", async () => {
    const { path, remove } = await temporaryDirectory();
    undo.push(remove);
    await writeFile(join(path, "bwrap"), "#!/bin/sh\necho bubblewrap 9.9.9\n");
    await chmod(join(path, "bwrap"), 0o777);
    const runtime = await runtimeOn({ ...linux, directories: [path] }, "sandbox");
    await expect(runtime.capabilities()).rejects.toMatchObject({ code: "ISOLATION_UNAVAILABLE" });
  });

  if (hasAll("bubblewrap"))
    test("a failure is not cached, a working sandbox is", async () => {
      let looks = 0;
      let directories: readonly string[] = [];
      const host = {
        ...linux,
        get directories() {
          looks++;
          return directories;
        },
      };
      const runtime = await runtimeOn(host, "sandbox");
      await expect(runtime.create("w1")).rejects.toMatchObject({ code: "ISOLATION_UNAVAILABLE" });
      directories = SYSTEM_DIRECTORIES;
      await runtime.create("w1");
      const before = looks;
      await Promise.all([runtime.create("w2"), runtime.capabilities(), runtime.attach("w1")]);
      expect(looks).toBe(before);
    });
});

describe("without isolation", () => {
  test.each(usersToBe())(
    "user %i is offered no limit as root, which can raise each, otherwise those of the kernel",
    async (uid) => {
      const { path, remove } = await temporaryDirectory();
      undo.push(remove);
      const own = join(path, ".skillwright");
      const registry = join(own, "registry");
      await mkdir(registry, { recursive: true, mode: 0o700 });
      for (const folder of [path, own, registry]) await chown(folder, uid, process.getegid?.() ?? 0);
      vi.spyOn(process, "geteuid").mockReturnValue(uid);
      const runtime = localRuntimeOn(linux, { root: path, isolation: "none" });
      const { limits } = await runtime.capabilities().finally(() => vi.restoreAllMocks());
      await runtime.close();
      const setsLimits = linux.supervisor !== undefined || (await findProgram("prlimit")) !== undefined;
      expect(limits).toEqual(uid !== 0 && setsLimits ? ["openFiles", "fileBytes"] : []);
    },
  );

  test("a limit is either enforced, or refused with the available ones", async () => {
    const runtime = await runtimeOn(linux, "none");
    const { limits } = await runtime.capabilities();
    const workspace = await runtime.create("w1");
    if (limits.includes("openFiles"))
      expect(await printed(workspace, "ulimit -n", { limits: { openFiles: 20 } })).toBe("20\n");
    else
      await expect(runText(workspace, "true", { limits: { openFiles: 20 } })).rejects.toMatchObject({
        code: "UNSUPPORTED",
        details: { limit: "openFiles", enforced: [] },
      });
    await expect(runText(workspace, "true", { limits: { memoryBytes: 2 ** 30 } })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      details: { limit: "memoryBytes", enforced: limits },
    });
  });

  test("the network may be used on request, without a diagnostic", async () => {
    const workspace = await (await runtimeOn(linux, "none")).create("w1");
    const { diagnostics } = await runText(workspace, "true", { network: true });
    expect(diagnostics.map(({ code }) => code)).toContain("isolation.none");
    expect(diagnostics.map(({ code }) => code)).not.toContain("network.open");
  });

  if (hasAll("supervisor")) {
    test("a command that kills its supervisor gives an unknown outcome, with its output", async () => {
      const workspace = await (await runtimeOn(linux, "none")).create("w1");
      const killing = "echo before; until [ -e work/go ]; do sleep 0.01; done; kill -KILL $PPID; sleep 60";
      const limits = { timeoutMs: 60_000, maxOutputBytes: 100 };
      const handle = await workspace.start({ runId: "r", command: killing, cwd: ".", env: {}, ...limits });
      for await (const _ of handle.output()) break;
      await workspace.put([{ path: "work/go", content: "" }]);
      const { exitCode, treeEnded, timedOut, stdout, diagnostics } = await handle.result;
      expect([exitCode, treeEnded, timedOut, stdout.text]).toEqual([137, false, false, "before\n"]);
      const codes = diagnostics.map(({ code }) => code);
      expect(codes).toEqual(expect.arrayContaining(["run.tree-not-certain", "run.outcome-unknown"]));
    });

    test("a command that stops its supervisor ends at its time limit and on request", async () => {
      const workspace = await (await runtimeOn(linux, "none")).create("w1");
      const sleep = markedSleep();
      const stopping = `kill -STOP $PPID; echo > out/stopped; ${sleep}; true`;
      const late = await runText(workspace, stopping, { timeoutMs: 500 });
      expect([late.exitCode, late.timedOut, late.treeEnded]).toEqual([137, true, true]);
      const command = {
        runId: "r",
        command: stopping,
        cwd: ".",
        env: {},
        timeoutMs: 60_000,
        maxOutputBytes: 100,
      };
      await workspace.remove?.("out/stopped");
      const handle = await workspace.start(command);
      await expect.poll(async () => await workspace.list("out")).toHaveLength(1);
      await handle.signal("SIGKILL");
      expect(await handle.result).toMatchObject({ exitCode: 137, timedOut: false, treeEnded: true });
      expect(processesWith(sleep)).toEqual([]);
    });
  }

  test("LINK-04: a workspace whose out was replaced with a link runs no more commands and lists nothing of it", async () => {
    const workspace = await (await runtimeOn(linux, "none")).create("w1");
    await printed(workspace, "rm -rf out && ln -s /etc out");
    await expect(workspace.list("out")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    await expect(workspace.get("out/passwd")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    await expect(workspace.put([{ path: "out/x", content: "" }])).rejects.toMatchObject({
      code: "PATH_OUTSIDE",
    });
    await expect(runText(workspace, "true")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  });

  test("a directory of the layout removed by a command is created again", async () => {
    const workspace = await (await runtimeOn(linux, "none")).create("w1");
    await printed(workspace, "rm -rf out work");
    expect(await printed(workspace, "echo x > out/x; ls; pwd")).toContain("work");
  });
});

/** Users that this process can impersonate: only root can change a folder's owner. */
function usersToBe(): readonly number[] {
  const own = process.geteuid?.() ?? 0;
  return own === 0 ? [0, 1000] : [own];
}
