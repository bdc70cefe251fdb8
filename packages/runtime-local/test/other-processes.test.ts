import { execFileSync, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { RunResult } from "@skillwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { parentOf } from "../src/host/process-identity.js";
import { isSupervised } from "../src/recorded/control-pipe.js";
import { localSubject } from "./local-subject.js";
import { markedSleep, printed, processesWith } from "./running.js";

const script = fileURLToPath(new URL("children/host.mjs", import.meta.url));

if (hasAll("bubblewrap", "packages/runtime-local/dist"))
  describe("several processes", () => {
    let subject: Awaited<ReturnType<typeof localSubject>>;

    beforeEach(async () => {
      subject = await localSubject("sandbox");
    });

    afterEach(() => subject.dispose());

    /** Its output is read from the start, since Node discards unread output at its end. */
    function child(
      id: string,
      command: string,
      { isolation = "sandbox", stdio = ["ignore", "pipe", "pipe"] as StdioOptions } = {},
    ) {
      const env = { ...process.env, SKILLWRIGHT_CANARY: "sk-canary-91ab" };
      const host = spawn(process.execPath, [script, subject.root, isolation, id, command], { stdio, env });
      const said = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const)
        host[stream]?.on("data", (bytes: Buffer) => {
          said[stream] += bytes.toString();
        });
      const result = new Promise<RunResult>((resolve, reject) => {
        host.once("close", () => {
          if (said.stdout === "") reject(new Error(`The child said nothing. ${said.stderr}`));
          else resolve(JSON.parse(said.stdout));
        });
      });
      result.catch(() => undefined);
      return { host, said, result };
    }

    test("a pipe left by a killed process does not prevent the next one from starting", async () => {
      await subject.runtime.create("piped");
      const trash = `${subject.root}/.skillwright-trash-1`;
      mkdirSync(trash);
      execFileSync("mkfifo", [`${trash}/pipe`]);
      const { exitCode, isolation } = await child("piped", "true").result;
      expect([exitCode, isolation.level, existsSync(trash)]).toEqual([0, "namespace", false]);
    });

    test("another process attaches by id, finds staged skills and files, and leaves files for this one", async () => {
      const workspace = await subject.runtime.create("shared");
      const files = async function* () {
        yield { path: "SKILL.md", content: "text\n" };
      };
      await workspace.stage({ name: "demo", digest: "sha256:1", files });
      await workspace.put([{ path: "work/inputs/a", content: "from here\n" }]);
      const text = "cat skills/demo/SKILL.md work/inputs/a > out/b; echo done";
      const { stdout, isolation } = await child("shared", text).result;
      expect([stdout.text, isolation.level]).toEqual(["done\n", "namespace"]);
      expect(await printed(workspace, "cat out/b")).toBe("text\nfrom here\n");
    });

    test("the host's environment is not visible in any of its processes", async () => {
      await subject.runtime.create("clean");
      const { stdout } = await child("clean", "env; cat /proc/[0-9]*/environ; true").result;
      expect(stdout.text).not.toContain("sk-canary-91ab");
    });

    test.for(["sandbox", "none"])(
      "a descriptor inherited by the host is not open in a command (%s)",
      async (isolation) => {
        await subject.runtime.create("w1");
        const directory = openSync("/", "r");
        try {
          const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...Array(27).fill("ignore"), directory];
          // Without a pipe, of which bash itself would hold an end; and not as the last command, which replaces bash.
          const text = "find /proc/$$/fd -type l -printf '%f\\n'; true";
          const { stdout } = await child("w1", text, { isolation, stdio }).result;
          expect(stdout.text.trim().split("\n").sort()).toEqual(["0", "1", "2"]);
        } finally {
          closeSync(directory);
        }
      },
    );

    test.for(["sandbox", "none"])(
      "when the host is killed none of the processes of a run with `endsWithHost` survives (%s)",
      async (isolation) => {
        await subject.runtime.create("w1");
        const sleep = markedSleep();
        const { host, said } = child(
          "w1",
          `echo up; (setsid nohup env -i ${sleep} >/dev/null 2>&1 &); trap '' TERM HUP; ${sleep}; true`,
          { isolation },
        );
        await expect.poll(() => said.stderr).toContain("up");
        await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(1);
        host.kill("SIGKILL");
        await expect.poll(() => processesWith(sleep)).toEqual([]);
        expect(await subject.runtime.destroy("w1")).toBe(true);
      },
    );

    test("what a killed host left of the record of a run is removed by the first run after its lease", async () => {
      const workspace = await subject.runtime.create("w1");
      const { host, said } = child("w1", "echo up; sleep 1000; true");
      await expect.poll(() => said.stderr).toContain("up");
      host.kill("SIGKILL");
      const unkept = join(subject.root, "w1/records/unkept");
      const [left = ""] = readdirSync(unkept);
      const attempt = join(unkept, left, readlinkSync(join(unkept, left, "run")));
      await expect.poll(() => isSupervised(attempt)).toBe(false);
      await printed(workspace, "true");
      expect(readdirSync(unkept)).toEqual([left]);
      for (const path of [join(attempt, "lease"), join(unkept, left)]) utimesSync(path, 0, 0);
      await printed(workspace, "true");
      expect(readdirSync(unkept)).toEqual([]);
    });

    test("PROC-10: a run with `endsWithHost` that was started from a worker thread ends with the thread, and its workspace keeps working", async () => {
      const workspace = await subject.runtime.create("w1");
      const sleep = markedSleep();
      const workerData = {
        root: subject.root,
        id: "w1",
        command: `echo up; setsid ${sleep} & ${sleep}; echo ok > out/late`,
      };
      const worker = new Worker(new URL("children/worker.mjs", import.meta.url), {
        workerData,
        execArgv: [],
      });
      await once(worker, "message");
      await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(1);
      await worker.terminate();
      await expect.poll(() => processesWith(sleep)).toEqual([]);
      expect(await workspace.list("out")).toEqual([]);
      expect(await printed(workspace, "echo ok", { runId: "another" })).toBe("ok\n");
    });

    test("the process that starts runs ends with its killed host even if it was stopped, and so do its runs", async () => {
      await subject.runtime.create("w1");
      const sleep = markedSleep();
      const { host, said } = child("w1", `echo up; (setsid ${sleep} &); ${sleep}; true`);
      await expect.poll(() => said.stderr).toContain("up");
      const server = processesWith("serve --host").find((pid) => parentOf(pid) === String(host.pid)) ?? 0;
      process.kill(server, "SIGSTOP");
      host.kill("SIGKILL");
      await expect.poll(() => processesWith(sleep)).toEqual([]);
      expect(processesWith("serve --host")).not.toContain(server);
    });

    test.for(["sandbox", "none"])(
      "destroying from here ends another process's run, which is reported there (%s)",
      async (isolation) => {
        await subject.runtime.create("w1");
        const sleep = markedSleep();
        const { host, said, result } = child("w1", `echo up; (setsid env -i ${sleep} &); ${sleep}; true`, {
          isolation,
        });
        await expect.poll(() => said.stderr).toContain("up");
        expect(await subject.runtime.destroy("w1")).toBe(true);
        await expect
          .poll(() => processesWith(`${sleep}; true`).filter((pid) => pid !== host.pid))
          .toEqual([]);
        expect(await result).toMatchObject({ exitCode: 137, timedOut: false, treeEnded: true });
      },
    );

    test("CONC-04: two processes make, use and destroy the same ids without harm", async () => {
      const { runtime, other } = subject;
      const rounds = async (mine: typeof runtime) => {
        for (let round = 0; round < 40; round++) {
          const workspace = await mine.create("same").catch(() => mine.attach("same"));
          const outcome = await workspace
            ?.put([{ path: "work/x", content: String(round) }])
            .then(() => workspace.list("work"))
            .catch((error: { code?: string }) => error.code);
          expect(["undefined", "object", "WORKSPACE_NOT_FOUND"]).toContain(
            typeof outcome === "string" ? outcome : typeof outcome,
          );
          await mine.destroy("same");
        }
      };
      await Promise.all([rounds(runtime), rounds(other)]);
      expect(await runtime.list()).toEqual([]);
    });
  });
