import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RunResult, RuntimeWorkspace } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, printed, processesWith, runText } from "./running.js";

const script = fileURLToPath(new URL("children/kept-host.mjs", import.meta.url));
const COUNT = "echo started >> work/count";

if (hasAll("bubblewrap", "supervisor", "packages/runtime-local/dist"))
  describe.each(["sandbox", "none"] as const)(
    "runs that are kept, in several processes (%s)",
    (isolation) => {
      let subject: Awaited<ReturnType<typeof localSubject>>;
      let workspace: RuntimeWorkspace;

      beforeEach(async () => {
        subject = await localSubject(isolation);
        workspace = await subject.runtime.create("w1");
      });

      afterEach(() => subject.dispose());

      function host(runId: string, command: string, leaseMs = 60_000) {
        const args = [script, subject.root, isolation, "w1", runId, command, String(leaseMs)];
        const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
        const said = { stdout: "", stderr: "" };
        for (const stream of ["stdout", "stderr"] as const)
          child[stream].on("data", (bytes: Buffer) => {
            said[stream] += bytes.toString();
          });
        return { child, said, ended: once(child, "close") };
      }

      async function killed({
        child,
        ended,
      }: {
        child: ChildProcess;
        ended: Promise<unknown>;
      }): Promise<void> {
        child.kill("SIGKILL");
        await ended;
      }

      async function runOf(runId: string): Promise<RunHandle> {
        const found = await workspace.runOf(runId);
        if (!found) throw new Error(`There is no run ${runId}.`);
        return found;
      }

      const started = () => printed(workspace, "cat work/count");
      const recordOf = (runId: string) => {
        const [place = ""] = readdirSync(join(subject.root, "w1/records/kept"));
        expect(place).toMatch(/^[0-9a-f]{64}$/);
        expect(place).not.toContain(runId);
        const directory = join(subject.root, "w1/records/kept", place);
        return join(directory, readlinkSync(join(directory, "run")));
      };

      test("a run goes on when its host is killed; another process reads its output, feeds it a file and gets its outcome", async () => {
        const text = `${COUNT}; cat; echo up; until [ -e work/go ]; do sleep 0.01; done; cat work/go; exit 7`;
        const first = host("call-1", text);
        await expect.poll(() => first.said.stderr).toBe("given\nup\n");
        await killed(first);
        const handle = await runOf("call-1");
        await workspace.put([{ path: "work/go", content: "went on\n" }]);
        let output = "";
        for await (const { bytes } of handle.output({ from: 6 })) output += Buffer.from(bytes).toString();
        expect(output).toBe("up\nwent on\n");
        const result = await handle.result;
        expect(result).toMatchObject({ exitCode: 7, treeEnded: true, timedOut: false, aborted: false });
        expect(result.stdout.text).toBe("given\nup\nwent on\n");
        const second = host("call-1", text);
        await second.ended;
        expect((JSON.parse(second.said.stdout) as RunResult).stdout.text).toBe(result.stdout.text);
        expect(await started()).toBe("started\n");
      });

      test("another process ends a run whose host was killed, with its whole tree", async () => {
        const sleep = markedSleep();
        const first = host("call-1", `(setsid ${sleep} &); echo up; ${sleep}; true`);
        await expect.poll(() => first.said.stderr).toBe("up\n");
        await killed(first);
        const handle = await runOf("call-1");
        await handle.signal("SIGKILL");
        expect(await handle.result).toMatchObject({ exitCode: 137, aborted: false, treeEnded: true });
        expect(processesWith(sleep)).toEqual([]);
      });

      test("a run that nobody follows ends with its lease, and its outcome says so", async () => {
        const sleep = markedSleep();
        const first = host("call-1", `(setsid ${sleep} &); echo up; ${sleep}; true`, 2000);
        await expect.poll(() => first.said.stderr).toBe("up\n");
        await killed(first);
        await expect.poll(() => processesWith(sleep)).toEqual([]);
        const { exitCode, diagnostics, treeEnded } = await (await runOf("call-1")).result;
        expect([exitCode, treeEnded]).toEqual([137, true]);
        expect(diagnostics.map(({ code }) => code)).toContain("run.lease-lapsed");
      });

      test("the outcome is unknown when the supervisor was killed, and the command is not run again", async () => {
        const handle = await workspace.start({
          ...command(`${COUNT}; echo up; sleep 1000; true`),
          runId: "call-1",
          keep: true,
        });
        for await (const _ of handle.output()) break;
        const [pid] = readlinkSync(join(recordOf("call-1"), "supervisor")).split(" ");
        process.kill(Number(pid), "SIGKILL");
        const { exitCode, treeEnded, diagnostics } = await handle.result;
        expect([exitCode, treeEnded]).toEqual([137, false]);
        expect(diagnostics.map(({ code }) => code)).toContain("run.outcome-unknown");
        const again = await runText(workspace, COUNT, { runId: "call-1", keep: true });
        expect(again.diagnostics.map(({ code }) => code)).toContain("run.outcome-unknown");
        expect(await started()).toBe("started\n");
      });

      test("a run that many processes start at once is run once, and each has its result", async () => {
        const text = `${COUNT}; echo $RANDOM$RANDOM; exit 5`;
        const hosts = Array.from({ length: 4 }, () => host("call-1", text));
        const own = await runText(workspace, text, { runId: "call-1", keep: true });
        await Promise.all(hosts.map(({ ended }) => ended));
        for (const { said } of hosts) {
          const { exitCode, stdout } = JSON.parse(said.stdout) as RunResult;
          expect([exitCode, stdout.text]).toEqual([5, own.stdout.text]);
        }
        expect(await started()).toBe("started\n");
      });

      test("a host that is killed at any moment of the start leaves a run that is started once, then or by the next", async () => {
        for (let round = 0; round < 8; round++) {
          const first = host(`call-${round}`, `echo ${round} >> work/count`);
          if (round > 0) await expect.poll(() => hasAttempt(round)).toBe(true);
          await setTimeout(round % 4);
          await killed(first);
          await runText(workspace, `echo ${round} >> work/count`, { runId: `call-${round}`, keep: true });
        }
        expect(await started()).toBe("0\n1\n2\n3\n4\n5\n6\n7\n");
      });

      test("the record holds no secret, no command and no input", async () => {
        const first = host("call-1", "cat; echo up; exit 3");
        await first.ended;
        const directory = recordOf("call-1");
        const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
        const texts = files.map(({ name }) => readFileSync(join(directory, name), "latin1")).join("\n");
        expect(texts).toContain("given");
        expect(texts).not.toContain("echo up");
        expect(files.map(({ name }) => name)).not.toContain("input");
      });

      /** Whether as many runs as rounds have a directory. */
      function hasAttempt(round: number): boolean {
        try {
          return readdirSync(join(subject.root, "w1/records/kept")).length > round;
        } catch {
          return false;
        }
      }
    },
  );

function command(text: string) {
  return {
    runId: "run",
    command: text,
    cwd: ".",
    env: {},
    timeoutMs: 120_000,
    maxOutputBytes: 100_000,
  };
}
