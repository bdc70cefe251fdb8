import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RuntimeWorkspace } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { commandLine, markedSleep, processesWith, runText } from "./running.js";

const LEVELS = hasAll("bubblewrap") ? (["sandbox", "none"] as const) : (["none"] as const);

if (hasAll("supervisor"))
  for (const isolation of LEVELS)
    describe(`the process that starts runs (${isolation})`, () => {
      let subject: Awaited<ReturnType<typeof localSubject>>;
      let workspace: RuntimeWorkspace;

      beforeEach(async () => {
        subject = await localSubject(isolation);
        workspace = await subject.runtime.create("w1");
      });

      afterEach(() => subject.dispose());

      test("serves all runs, and ends with the runtime", async () => {
        await Promise.all(Array.from({ length: 8 }, () => runText(workspace, "true")));
        const [server] = servers();
        await runText(workspace, "true");
        expect(servers()).toEqual([server]);
        await subject.runtime.close();
        await expect.poll(servers).toEqual([]);
      });

      test("gives commands real pipes, which they can open by name", async () => {
        const { stdout, stderr } = await runText(
          workspace,
          "cat /dev/stdin > /dev/stderr; echo out > /dev/stdout",
          {
            stdin: "given",
          },
        );
        expect([stdout.text, stderr.text]).toEqual(["out\n", "given"]);
      });

      test("takes a run with `endsWithHost` with it when it is killed: the outcome is unknown, nothing survives, and the next run works", async () => {
        const sleep = markedSleep();
        const handle = await workspace.start({
          ...waiting,
          endsWithHost: true,
          command: `echo up; (setsid ${sleep} &); trap '' TERM HUP; ${sleep}; true`,
        });
        for await (const _ of handle.output()) break;
        await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(1);
        const [server = 0] = servers();
        process.kill(server, "SIGKILL");
        const { exitCode, treeEnded, diagnostics, stdout } = await handle.result;
        expect([exitCode, treeEnded, stdout.text]).toEqual([137, true, "up\n"]);
        expect(diagnostics.map(({ code }) => code)).toContain("run.outcome-unknown");
        await expect.poll(() => processesWith(sleep)).toEqual([]);
        expect((await runText(workspace, "echo again")).stdout.text).toBe("again\n");
        expect(servers()).not.toContain(server);
      });

      test.each([true, false])(
        "leaves a run to its supervisor when it is killed (kept: %s)",
        async (keep) => {
          const handle = await workspace.start({
            ...waiting,
            command: "echo up; until [ -e out/go ]; do sleep 0.01; done; echo on",
            runId: "call-1",
            keep,
          });
          for await (const _ of handle.output()) break;
          for (const server of servers()) process.kill(server, "SIGKILL");
          await expect.poll(servers).toEqual([]);
          await workspace.put([{ path: "out/go", content: "" }]);
          expect(await handle.result).toMatchObject({ exitCode: 0, stdout: { text: "up\non\n" } });
        },
      );

      if (isolation === "none") {
        test("needs no more memory after hundreds of runs", async () => {
          const several = async () => {
            for (let round = 0; round < 10; round++)
              await Promise.all(
                Array.from({ length: 10 }, () => runText(workspace, "echo text; echo e >&2")),
              );
            return residentBytes(servers()[0]);
          };
          const before = await several();
          expect(await several()).toBeLessThanOrEqual(before + 65_536);
        });

        test.each([
          ["has stopped it", (pid: number) => `kill -STOP ${pid}; sleep 600; true`],
          [
            "stops it and the supervisor of its run without end",
            (pid: number) => `while :; do kill -STOP ${pid} $PPID; done`,
          ],
        ])("is resumed when a command %s, so that the run ends at its time limit", async (_, stopping) => {
          await runText(workspace, "true");
          const [server = 0] = servers();
          const { exitCode, timedOut } = await runText(workspace, stopping(server), { timeoutMs: 300 });
          expect([exitCode, timedOut]).toEqual([137, true]);
          expect((await runText(workspace, "true")).exitCode).toBe(0);
        });

        test("is resumed when a command has stopped it and ended, also of a run that is kept", async () => {
          await runText(workspace, "true");
          const [server = 0] = servers();
          for (const more of [{}, { keep: true }]) {
            const stopping = { timeoutMs: 2_000_000_000, ...more };
            expect((await runText(workspace, `kill -STOP ${server}`, stopping)).exitCode).toBe(0);
          }
          expect(servers()).toEqual([server]);
        });

        test("ends with its runtime when it was stopped before", async () => {
          await runText(workspace, "true");
          const [server = 0] = servers();
          process.kill(server, "SIGSTOP");
          await subject.runtime.close();
          await expect.poll(servers).toEqual([]);
        });
      }
    });

if (hasAll("supervisor", "packages/runtime-local/dist"))
  test("a process whose runs are over ends without closing its runtime", async () => {
    const { root, dispose } = await localSubject("none");
    const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));
    const env = { ...process.env, SKILLWRIGHT_TEST_UNCLOSED: "1" };
    const host = spawn(process.execPath, [script, root, "none", "w1", "true"], { stdio: "ignore", env });
    expect(await once(host, "exit")).toEqual([0, null]);
    await dispose();
  });

const waiting = { runId: "waiting", cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };

/** The process ids of the living servers that this process started. */
function servers(): readonly number[] {
  return processesWith("serve --host").filter((pid) => {
    const status = statusOf(pid);
    return status.includes(`\nPPid:\t${process.pid}\n`) && commandLine(pid) !== "";
  });
}

function residentBytes(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1]) * 1024;
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
