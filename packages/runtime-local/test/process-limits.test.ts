import { workspaceRuntimePromises } from "@skillwright/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { findProgram } from "../src/host/find-program.js";
import { ownHost } from "../src/host/own-host.js";
import { NO_GROUPS } from "../src/limits/control-group-hierarchies.js";
import { localRuntimeOn } from "../src/local-runtime.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { markedSleep, printed, processesWith, runText } from "./running.js";

/** A machine whose control groups are unavailable to this process, as for every user but root. */
async function withoutGroups() {
  const { path, remove } = await temporaryDirectory();
  const host = { ...ownHost(), controlGroups: NO_GROUPS };
  const [runtime, other] = [localRuntimeOn(host, { root: path }), localRuntimeOn(host, { root: path })];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await remove();
  };
  return { runtime, other, dispose };
}

if (hasAll("bubblewrap"))
  describe("without control groups, the table of per-process limits", () => {
    for (const { id, promise, run } of workspaceRuntimePromises.filter((one) => one.id.includes("/limits/")))
      test(`${id}: ${promise}`, async () => {
        const subject = await withoutGroups();
        await run(subject).finally(subject.dispose);
      });

    test("limits that cannot apply to a run together are not offered", async () => {
      const { runtime, dispose } = await withoutGroups();
      expect((await runtime.capabilities()).limits).toEqual([
        "processes",
        "openFiles",
        "fileBytes",
        "diskBytes",
        "inodes",
      ]);
      await dispose();
    });

    test("PROC-06: processes are counted per run, with a neighbour that has more", async () => {
      const { runtime, dispose } = await withoutGroups();
      const sleep = markedSleep();
      const neighbour = await (await runtime.create("neighbour")).start({
        ...command,
        command: `for i in $(seq 40); do ${sleep} & done; wait`,
      });
      await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(40);
      const workspace = await runtime.create("w1");
      const limits = { processes: 10 };
      expect(
        await printed(workspace, "for i in 1 2 3 4 5 6; do sleep 0.2 & done; wait; echo fine", { limits }),
      ).toBe("fine\n");
      const bomb = await runText(workspace, `f() { ${sleep} & f | f & }; f; sleep 20`, {
        limits,
        timeoutMs: 1000,
      });
      expect([bomb.timedOut, bomb.treeEnded]).toEqual([true, true]);
      await neighbour.signal("SIGKILL");
      await neighbour.result;
      expect(processesWith(sleep)).toEqual([]);
      await dispose();
    });
  });

const command = { runId: "r", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };

for (const isolation of hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const))
  describe(`limits of every run (${isolation})`, () => {
    const undo: (() => Promise<void>)[] = [];

    afterEach(async () => {
      for (const step of undo.splice(0)) await step();
    });

    async function workspaceHere() {
      const { runtime, dispose } = await localSubject(isolation);
      undo.push(dispose);
      return await runtime.create("w1");
    }

    test("RES-04: a crash leaves no core dump", async () => {
      const workspace = await workspaceHere();
      const { exitCode } = await runText(workspace, "kill -SEGV $$", { cwd: "work" });
      expect(exitCode).toBe(139);
      expect((await workspace.list()).filter(({ kind }) => kind === "file")).toEqual([]);
      expect(await printed(workspace, "ulimit -Sc")).toBe("0\n");
    });

    if (isolation === "sandbox") {
      test("RES-04: a crash leaves none even when the command requests one", async () => {
        const workspace = await workspaceHere();
        await runText(workspace, "ulimit -c unlimited; bash -c 'kill -SEGV $$'", { cwd: "work" });
        const limits = { openFiles: 64 };
        await runText(workspace, "ulimit -c unlimited; bash -c 'kill -SEGV $$'", { cwd: "work", limits });
        expect((await workspace.list()).filter(({ kind }) => kind === "file")).toEqual([]);
        for (const more of [{}, { limits }, { env: { POSIXLY_CORRECT: "1" } }])
          expect(await printed(workspace, "ulimit -Hc; env | grep -c BASH_ENV || true", more)).toBe("0\n0\n");
      });

      test("RES-03: opening too many files fails inside, and the host continues", async () => {
        const workspace = await workspaceHere();
        const text = "n=0; while exec {f}</dev/null; do n=$((n + 1)); done 2>/dev/null; echo $n";
        const opened = Number(
          await printed(workspace, `bash -c '${text}'; true`, { limits: { openFiles: 256 } }),
        );
        expect(opened).toBeGreaterThan(200);
        expect(opened).toBeLessThan(256);
        expect(await printed(workspace, "echo ok")).toBe("ok\n");
      });
    }
  });

test("the program that sets limits without a supervisor is the system's own", async () => {
  expect(await findProgram("prlimit")).toMatch(/^\/(usr\/)?bin\/prlimit$/);
});
