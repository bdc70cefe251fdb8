import type { RunLimits, RuntimeWorkspace } from "@skillwright/core";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownHost } from "../src/host/own-host.js";
import { NO_GROUPS } from "../src/limits/control-group-hierarchies.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function workspaceHere() {
  const { runtime, dispose } = await localSubject("sandbox");
  undo.push(dispose);
  return await runtime.create("w1");
}

async function workspaceWithoutGroups() {
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  const runtime = localRuntimeOn({ ...ownHost(), controlGroups: NO_GROUPS }, { root: path });
  undo.push(() => runtime.close());
  return await runtime.create("w1");
}

/** The limits that the result reports as reached. */
async function reached(workspace: RuntimeWorkspace, command: string, limits?: RunLimits) {
  const { exitCode, diagnostics } = await runText(workspace, command, { limits, timeoutMs: 60_000 });
  const codes = diagnostics.map(({ code }) => code).filter((code) => code.endsWith("-reached"));
  return { exitCode, codes };
}

if (hasAll("bubblewrap"))
  describe("a file that reaches its limit", () => {
    const limits = { fileBytes: MEBIBYTE };
    const large = "head -c 2000000 /dev/zero > work/big";

    test("is reported when the signal ends the command, and when it ends a process of it", async () => {
      const workspace = await workspaceHere();
      const told = { exitCode: 153, codes: ["limit.fileBytes-reached"] };
      expect(await reached(workspace, large, limits)).toEqual(told);
      expect(await reached(workspace, `${large}; code=$?; rm work/big; exit $code`, limits)).toEqual(told);
    });

    test("is reported when a program ignores the signal and fails in its own way", async () => {
      const workspace = await workspaceHere();
      const told = { exitCode: 1, codes: ["limit.fileBytes-reached"] };
      expect(await reached(workspace, `trap '' XFSZ; ${large}`, limits)).toEqual(told);
    });

    test("is reported as the disk limit where that is smaller", async () => {
      const workspace = await workspaceHere();
      const { exitCode, codes } = await reached(workspace, large, {
        diskBytes: MEBIBYTE,
        fileBytes: 2 * MEBIBYTE,
      });
      // The file takes all that the workspace may hold: the measurement ends the run, or the signal does.
      expect([137, 153]).toContain(exitCode);
      expect(codes).toEqual(["limit.diskBytes-reached"]);
    });

    test("is not reported for a later run, a smaller file, or a file of an earlier run", async () => {
      const workspace = await workspaceHere();
      const fails = { exitCode: 1, codes: [] };
      expect(await reached(workspace, "head -c 1000000 /dev/zero > work/a; exit 1", limits)).toEqual(fails);
      await reached(workspace, large, limits);
      // Later than the resolution of the file system's clock.
      await runText(workspace, "sleep 0.1");
      expect(await reached(workspace, "exit 1", limits)).toEqual(fails);
    });
  });

if (hasAll("supervisor", "bubblewrap"))
  test.each(["/tmp", "/dev/shm"])("a run that fills its own %s is reported", async (directory) => {
    const workspace = await workspaceHere();
    const { stderr, diagnostics } = await runText(workspace, `cat /dev/zero > "${directory}/big"`);
    expect(stderr.text).toContain("No space left on device");
    expect(diagnostics).toMatchObject([
      { code: "limit.tmp-reached", message: expect.stringContaining(directory) },
    ]);
    const after = await runText(workspace, `head -c 1000000 /dev/zero > "${directory}/small"`);
    expect([after.exitCode, after.diagnostics]).toEqual([0, []]);
  });

if (hasAll("bubblewrap"))
  describe("without control groups", () => {
    /** Ended by its number of files, which is counted after its processes. */
    async function withProcesses(count: number) {
      const workspace = await workspaceWithoutGroups();
      const limits = { processes: 6, inodes: 500 };
      const sleeps = "sleep 60 & ".repeat(count - 1);
      const command = `${sleeps} echo there; read go; for ((i=0;i<600;i++)); do : > work/$i; done; read never`;
      const base = { runId: "r", cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 1000 };
      const handle = await workspace.start({ ...base, command, limits, interactive: true });
      for await (const _ of handle.output()) break;
      await handle.write(Buffer.from("go\n"));
      const { exitCode, diagnostics } = await handle.result;
      expect(exitCode).toBe(137);
      return diagnostics.map(({ code }) => code).filter((code) => code.endsWith("-reached"));
    }

    test("a run with as many processes as allowed is reported, and one with fewer is not", async () => {
      expect(await withProcesses(6)).toEqual(["limit.processes-reached", "limit.inodes-reached"]);
      expect(await withProcesses(5)).toEqual(["limit.inodes-reached"]);
    });
  });
