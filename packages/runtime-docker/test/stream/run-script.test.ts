import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScript } from "../../src/stream/run-script.js";
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
    // The call fails as soon as the end was asked for. The last process ends a moment later.
    await expect.poll(() => survivors(place)).toEqual([]);
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
});
