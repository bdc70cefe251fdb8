import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { containerProcesses } from "../../src/exec/container-processes.js";
import { listedProcesses } from "../../src/exec/listed-processes.js";
import { runScript } from "../../src/exec/run-script.js";
import { startExec } from "../../src/exec/start-exec.js";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "../run/invariants.js";
import { type RunPlace, runPlace, started } from "../run/run-place.js";

describe.each(await engines())("our own scripts on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("a script gets its arguments and its input, and its end and both streams are returned", async () => {
    const script = 'printf "%s|" "$@"; wc -c; echo wrong >&2; exit 3';
    const input = [Buffer.alloc(3_000_000), Buffer.alloc(2_000_000)];
    const args = ["a b", "$HOME", ""];
    const { exitCode, stdout, stderr } = await runScript(place.container, { script, args, input, as: "run" });
    expect([exitCode, Buffer.from(stdout).toString(), stderr]).toEqual([
      3,
      "a b|$HOME||5000000\n",
      "wrong\n",
    ]);
  });

  test("excess output, a timeout and an abort end the script", async () => {
    const { container } = place;
    const run = (script: string, more: object, signal?: AbortSignal) =>
      runScript(container, { script, as: "run", ...more }, { signal });
    await expect(run("yes", { maxBytes: 3000 })).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    for (const as of ["run", "root"])
      await expect(run("sleep 60", { as, timeoutMs: 300 })).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining("300 ms"),
      });
    const signal = AbortSignal.timeout(300);
    await expect(run("sleep 60 & wait", {}, signal)).rejects.toMatchObject({ code: "ABORTED" });
    const failing = (async function* () {
      yield Buffer.from("first");
      throw new Error("the source failed");
    })();
    await expect(run("cat; sleep 60", { input: failing })).rejects.toThrow("the source failed");
    expect(await survivors(place)).toEqual([]);
    // A process of the engine that started a script may still be ending.
    await vi.waitFor(
      async () => {
        const inside = await listedProcesses(container);
        expect((await containerProcesses(container)).length).toBe(inside?.length);
      },
      { timeout: 180_000 },
    );
  });

  test("a script that stops reading can end, whatever its source still has", async () => {
    const endless = (async function* () {
      for (;;) {
        yield Buffer.alloc(65_536);
        await setTimeout(1);
      }
    })();
    const { exitCode } = await runScript(place.container, {
      script: "head -c 10 >/dev/null; exit 1",
      as: "run",
      input: endless,
    });
    expect(exitCode).toBe(1);
  });

  test("a script that a command kills is an error and never an answer; root's are out of a command's reach", async () => {
    const killer = await started(
      place,
      `echo on; while :; do for p in /proc/[0-9]*; do case $p in /proc/$$|/proc/$PPID) ;; *) kill -9 \${p#/proc/} ;; esac; done; done 2>/dev/null`,
    );
    try {
      await expect(
        runScript(place.container, { script: "sleep 30; echo x", as: "run" }),
      ).rejects.toMatchObject({
        code: "BACKEND_FAILED",
      });
      const { stdout } = await runScript(place.container, { script: "sleep 0.5; echo root", as: "root" });
      expect(Buffer.from(stdout).toString()).toBe("root\n");
    } finally {
      await killer.signal("SIGKILL");
      await killer.result;
    }
  });

  test("the container's processes are the same from outside and from inside", async () => {
    const { container } = place;
    const argv = ["/bin/sleep", "60"] as const;
    const exec = await startExec(container, { argv, as: "run", group: 23_456 });
    const sorted = (list: Awaited<ReturnType<typeof containerProcesses>> | undefined) =>
      (list === undefined || typeof list === "string" ? [] : list)
        .map(({ isRoot, group }) => `${isRoot} ${group}`)
        .sort();
    await expect.poll(async () => sorted(await containerProcesses(container))).toContain("false 23456");
    // One that ends between the two looks is in the first only.
    await vi.waitFor(
      async () =>
        expect(sorted(await listedProcesses(container))).toEqual(sorted(await containerProcesses(container))),
      { timeout: 180_000 },
    );
    await runScript(container, { script: "kill -9 -1", as: "run" }).catch(() => undefined);
    exec.close();
  });
});
