import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../engine-setup/engines.js";
import { command, printed, type RunPlace, runPlace, runText } from "./run-place.js";

describe.each(await engines())("input and signals on $name", ({ host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("a writer waits for a command that does not read yet, and nothing is lost", async () => {
    const run = await place.start(
      command("mkfifo work/go; echo on; read x < work/go; wc -c", { interactive: true }),
    );
    let taken = 0;
    const writing = (async () => {
      for (; taken < 512; taken++) await run.write(Buffer.alloc(64 * 1024));
      await run.endInput();
    })();
    // Another command, which started later and reads, has received as much.
    const reader = await place.start(command("wc -c", { interactive: true }));
    for (let piece = 0; piece < 512; piece++) await reader.write(Buffer.alloc(64 * 1024));
    await reader.endInput();
    expect((await reader.result).stdout.text.trim()).toBe(`${32 * 1024 * 1024}`);
    // Pipes and sockets on the way take a few pieces.
    expect(taken).toBeLessThan(512);
    await printed(place, "echo go > work/go");
    await writing;
    const { exitCode, stdout } = await run.result;
    expect([exitCode, stdout.text.trim().split("\n").at(-1)]).toEqual([0, `${32 * 1024 * 1024}`]);
  });

  test("after the end of its input a command can still write", async () => {
    const run = await place.start(command("cat; sleep 0.3; echo after", { interactive: true }));
    await run.write(Buffer.from("before\n"));
    await run.endInput();
    expect((await run.result).stdout.text).toBe("before\nafter\n");
    await expect(run.write(Buffer.from("x"))).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("SIGINT and SIGTERM reach the command and its children, with the exit codes of shells", async () => {
    for (const [name, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const run = await place.start(command("echo on; sleep 60; echo not reached"));
      for await (const _ of run.output()) break;
      await run.signal(name);
      const { exitCode, stdout, stderr, treeEnded } = await run.result;
      expect([exitCode, stdout.text, stderr.text, treeEnded], name).toEqual([code, "on\n", "", true]);
      await run.signal(name);
    }
  });

  test("an abort while the command is starting leaves nothing of it", async () => {
    for (const afterMs of [0, 5, 15, 30, 45, 60]) {
      const run = place
        .start(command(`sleep ${60 + afterMs}`), { signal: AbortSignal.timeout(afterMs + 1) })
        .then((handle) => handle.result);
      const outcome = await run.catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "ABORTED" });
      else expect(outcome).toMatchObject({ aborted: true, exitCode: 137, treeEnded: true });
      expect((await printed(place, "ps -o args | grep -c '[s]leep 6' || true")).trim(), `${afterMs}`).toBe(
        "0",
      );
    }
  });

  test("closing ends running and starting commands", async () => {
    const own = await runPlace({ engine: { host }, image });
    try {
      const running = await own.start(command("sleep 60"));
      const starting = own.start(command("sleep 60")).then((handle) => handle.result);
      const settled = starting.catch((error: unknown) => error);
      await own.state.live.end();
      expect((await running.result).exitCode).toBe(137);
      const outcome = await settled;
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "CLOSED" });
      else expect(outcome).toMatchObject({ exitCode: 137 });
    } finally {
      await own.dispose();
    }
  });
});

describe.each(await engines(["docker", "podman"], "no-bash"))(
  "an image without bash on $name",
  ({ host, image }) => {
    let place: RunPlace;

    beforeAll(async () => {
      place = await runPlace({ engine: { host }, image });
    });

    afterAll(() => place?.dispose());

    test("DOCK-05: sh runs the command, with a diagnostic, and everything else works", async () => {
      const { exitCode, stdout, diagnostics } = await runText(place, "echo hi; kill -TERM $$");
      expect([exitCode, stdout.text]).toEqual([143, "hi\n"]);
      expect(diagnostics).toMatchObject([{ code: "shell.no-bash", severity: "warning" }]);
      const late = await runText(place, "(setsid sleep 60 &) ; trap '' TERM; sleep 60", { timeoutMs: 500 });
      expect([late.timedOut, late.treeEnded]).toEqual([true, true]);
      const left = await runText(place, "(setsid sleep 60 >/dev/null 2>&1 &); echo done");
      expect([left.exitCode, left.stdout.text, left.treeEnded]).toEqual([0, "done\n", true]);
      expect(await printed(place, "ulimit -f", { limits: { fileBytes: 4096 } })).toBe("8\n");
      await expect(runText(place, "true", { cwd: "work/none" })).rejects.toMatchObject({
        code: "FILE_NOT_FOUND",
      });
    });
  },
);
