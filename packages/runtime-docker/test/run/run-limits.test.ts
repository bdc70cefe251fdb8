import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { engineRelay } from "../engine/engine-relay.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { command, printed, type RunPlace, runPlace, runText, started } from "./run-place.js";

const MEBIBYTE = 1024 * 1024;
const HOG = "head -c 100000000 /dev/zero | tail -c 100000000 | wc -c";
/** Prints a line for each process that it could start. The shell ends where it cannot start another one. */
const FORKS = "for i in $(seq 30); do sleep 5 & echo $i; done";

describe.each(await engines(LOCAL_ENGINES))("limits of a run on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image, memoryBytes: 256 * MEBIBYTE });
  });

  afterAll(() => place?.dispose());

  test("a memory limit applies to the run that requests it, and not to the next", async () => {
    const limits = { memoryBytes: 48 * MEBIBYTE };
    const held = await runText(place, `set -o pipefail; ${HOG}`, { limits });
    expect(held.exitCode).not.toBe(0);
    expect(held.diagnostics.map(({ code }) => code)).toEqual(["limit.memoryBytes-reached"]);
    const free = await runText(place, HOG);
    expect(free.stdout.text.trim()).toBe("100000000");
    // The first result names the run's own limit, the second one the limit of the container.
    expect([held.limits?.memoryBytes, free.limits?.memoryBytes]).toEqual([48 * MEBIBYTE, 256 * MEBIBYTE]);
  });

  test("a run without limits of its own asks the engine for no process, also the first in a new container", async () => {
    let execs = 0;
    const relay = await engineRelay(host, ({ method, path }) => {
      if (method === "POST" && /\/containers\/\w+\/exec(\?|$)/.test(path)) execs += 1;
      return undefined;
    });
    onTestFinished(() => relay[Symbol.asyncDispose]());
    const own = await runPlace({ engine: { host: relay.host }, image });
    onTestFinished(() => own.dispose());
    const before = execs;
    expect(before).toBeGreaterThan(0);
    for (const text of ["first", "second"]) expect(await printed(own, `echo ${text}`)).toBe(`${text}\n`);
    expect(execs - before).toBe(0);
  });

  test("processes are counted without those that keep the container alive", async () => {
    const begun = async (limits?: { readonly processes: number }) =>
      (await runText(place, FORKS, limits && { limits })).stdout.text.trim().split("\n").length;
    // The shell is one of the eleven, and an ended process may still count for a moment.
    const limited = await begun({ processes: 11 });
    expect([limited >= 9, limited <= 11], `${limited} processes`).toEqual([true, true]);
    expect(await begun()).toBe(30);
  });

  test("the strictest limit of concurrent runs applies, until that run is over", async () => {
    const strict = await place.start(
      command("echo begun; read x", { interactive: true, limits: { memoryBytes: 48 * MEBIBYTE } }),
    );
    for await (const _ of strict.output()) break;
    expect((await runText(place, `set -o pipefail; ${HOG}`)).exitCode).not.toBe(0);
    await strict.endInput();
    await strict.result;
    expect((await printed(place, HOG)).trim()).toBe("100000000");
  });

  test("a memory limit below current usage is refused with the remedy", async () => {
    await printed(place, "head -c 60000000 /dev/zero > work/big");
    const asked = runText(place, "true", { limits: { memoryBytes: 20 * MEBIBYTE } });
    await expect(asked).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringMatching(/already in use.*Raise memoryBytes, remove files/s),
    });
    expect(await printed(place, "rm work/big; echo ok")).toBe("ok\n");
  });

  test("descriptors and files have their own limits, which no command can raise", async () => {
    const limits = { openFiles: 20, fileBytes: 4096 };
    const raise = "ulimit -n 100; ulimit -f 100000; ulimit -n; ulimit -f";
    expect(await printed(place, `${raise} 2>/dev/null`, { limits })).toBe("20\n4\n");
    expect((await runText(place, "head -c 5000 /dev/zero > work/f", { limits })).exitCode).not.toBe(0);
    expect((await printed(place, "wc -c < work/f")).trim()).toBe("4096");
    expect(await printed(place, "ulimit -n", { limits: { openFiles: 100_000 } })).toBe("256\n");
    // Bash counts in other units then.
    const posix = { limits, env: { POSIXLY_CORRECT: "1" } };
    expect((await runText(place, "head -c 5000 /dev/zero > work/g", posix)).exitCode).not.toBe(0);
    expect((await printed(place, "wc -c < work/g")).trim()).toBe("4096");
  });

  test("a limit that the container cannot enforce is UNSUPPORTED, and with bestEffort a diagnostic", async () => {
    const cases = [
      { limits: { diskBytes: MEBIBYTE } },
      { limits: { memoryBytes: MEBIBYTE } },
      { network: true },
    ];
    for (const asked of cases) {
      await expect(runText(place, "true", asked)).rejects.toMatchObject({ code: "UNSUPPORTED" });
      const { exitCode, diagnostics } = await runText(place, "true", { ...asked, bestEffort: true });
      expect([exitCode, diagnostics.length]).toEqual([0, 1]);
    }
    expect((await runText(place, "true", { network: false })).diagnostics).toEqual([]);
  });

  test("a run with a limit starts beside a busy one, which is not disturbed until it is ended", async () => {
    const busy = await started(place, "echo on; while :; do :; done");
    expect(await printed(place, "echo ok", { limits: { cpu: 0.5 } })).toBe("ok\n");
    await busy.signal("SIGKILL");
    expect((await busy.result).exitCode).toBe(137);
  });
});
