import { SkillError } from "@skillwright/core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { testImage } from "../../../../scripts/engines/test-images/test-image.mjs";
import { heldTimer } from "../../../../test/timing/held-timer.js";
import { endLeftovers } from "../../src/container/end-leftovers.js";
import type { DockerRuntimeOptions } from "../../src/index.js";
import { byteRelay } from "../engine/byte-relay.js";
import { engineRelay } from "../engine/engine-relay.js";
import { unawareEngine } from "../engine/unaware-engine.js";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "./invariants.js";
import { command, printed, type RunPlace, runPlace, runText, started, startIn } from "./run-place.js";

const ENDLESS = "echo x >> out/begun; echo begun; while :; do sleep 0.05; done";

/** A time limit of runs that no other timer has. */
const TIMEOUT_MS = 123_456;

/** Engines stop a container before they remove it, and may be queried between the two. */
const ENDED = expect.stringMatching(/^container\.(removed|stopped)$/);

/** An engine that stops may end the command, and no longer answer what became of its container or processes. */
const STOPPED_OR_UNKNOWN = expect.stringMatching(/^(container\.(stopped|unknown)|run\.tree-not-ended)$/);

describe.each(await engines())("trouble in the middle of a run on $name", ({ name, host, image }) => {
  let place: RunPlace;

  beforeAll(async () => {
    place = await runPlace({ engine: { host }, image });
  });

  afterAll(() => place?.dispose());

  test("removing a container ends its run, which is reported", async () => {
    const own = await runPlace({ engine: { host }, image });
    onTestFinished(() => own.dispose());
    const { result } = await started(own, ENDLESS);
    await own.container.container.remove({ force: true });
    const { exitCode, treeEnded, stdout, diagnostics } = await result;
    expect([exitCode, treeEnded, stdout.text]).toEqual([137, true, "begun\n"]);
    expect(diagnostics).toMatchObject([{ code: ENDED, severity: "error" }]);
  });

  test("a container whose end the engine has not noticed yet ends its run, which is reported", async () => {
    const unaware = await unawareEngine(host);
    onTestFinished(() => unaware[Symbol.asyncDispose]());
    for (const how of ["remove", "kill"] as const) {
      const own = await runPlace({ engine: { host: unaware.host }, image });
      onTestFinished(() => own.dispose());
      const forget = await unaware.remember(own.container);
      const { result } = await started(own, ENDLESS);
      forget();
      await own.container.container[how]({ force: true });
      const { exitCode, treeEnded, diagnostics } = await result;
      expect([exitCode, treeEnded], how).toEqual([137, true]);
      expect(diagnostics, how).toMatchObject([{ code: ENDED, severity: "error" }]);
    }
  });

  test("stopping or killing a container ends its run, which is reported", async () => {
    for (const how of ["kill", "stop"] as const) {
      const own = await runPlace({ engine: { host }, image });
      onTestFinished(() => own.dispose());
      const { result } = await started(own, ENDLESS);
      await own.container.container[how]();
      const { exitCode, treeEnded, diagnostics } = await result;
      expect([exitCode, treeEnded], how).toEqual([137, true]);
      expect(diagnostics, how).toMatchObject([{ code: "container.stopped", severity: "error" }]);
    }
  });

  test.each([
    ["no longer knows the command", { status: 404, answer: { message: "no such exec session" } }],
    ["has lost its exit code", { status: 200, answer: { Running: false, ExitCode: -1, Pid: 0 } }],
  ])("a stopped container ends its run, which is reported, even where the engine %s", async (_, answer) => {
    let isForgotten = false;
    const relay = await engineRelay(host, ({ path }) =>
      isForgotten && /\/exec\/\w+\/json$/.test(path) ? answer : undefined,
    );
    onTestFinished(() => relay[Symbol.asyncDispose]());
    const own = await runPlace({ engine: { host: relay.host }, image });
    onTestFinished(() => own.dispose());
    const { result } = await started(own, ENDLESS);
    isForgotten = true;
    await own.container.container.kill();
    const { exitCode, treeEnded, diagnostics } = await result;
    expect([exitCode, treeEnded]).toEqual([137, true]);
    expect(diagnostics).toMatchObject([{ code: "container.stopped", severity: "error" }]);
  });

  test.each([
    ["for a moment", 5, { exitCode: 0, stdout: { text: "hi\n" } }],
    ["without end", Number.POSITIVE_INFINITY, { code: "BACKEND_FAILED", message: /is paused/ }],
  ])(
    "an engine that calls a resumed container paused %s is asked again, for 2 s",
    async (_, times, outcome) => {
      let refusals = 0;
      const relay = await engineRelay(host, ({ method, path }) => {
        if (method !== "POST" || !/\/containers\/\w+\/exec(\?|$)/.test(path) || refusals <= 0)
          return undefined;
        refusals -= 1;
        return {
          status: 409,
          answer: { message: "Container c is paused, unpause the container before exec" },
        };
      });
      onTestFinished(() => relay[Symbol.asyncDispose]());
      const own = await runPlace({ engine: { host: relay.host }, image });
      onTestFinished(() => own.dispose());
      // The next connection to the supervisor is an exec.
      own.container.engine.streams.current(own.container)?.close();
      refusals = times;
      const { message, ...rest } = outcome as { message?: RegExp };
      const ended = await runText(own, "echo hi").catch((error: unknown) => error);
      expect(ended).toMatchObject(message ? { ...rest, message: expect.stringMatching(message) } : rest);
      expect(refusals).toBe(message ? times : 0);
    },
  );

  test("pausing a container does not extend a run beyond its timeout, and it is usable afterwards", async () => {
    const reachTimeout = heldTimer(TIMEOUT_MS);
    const run = await place.start(command(ENDLESS, { timeoutMs: TIMEOUT_MS }));
    for await (const _ of run.output()) break;
    await place.container.container.pause();
    reachTimeout();
    const { timedOut, treeEnded } = await run.result;
    expect([timedOut, treeEnded]).toEqual([true, true]);
    expect(await survivors(place)).toEqual([]);
    expect(await printed(place, "echo ok")).toBe("ok\n");
  });

  test("a process that the engine cannot start is the engine's failure, and not a result", async () => {
    const broken = startIn(place.state, { ...place.container, shell: "/none/bash" });
    const failed = runText({ start: broken }, "echo hi");
    await expect(failed).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringMatching(/not started: .*(none\/bash|exec|attach|could not be started)/s),
    });
    expect(await printed(place, "echo ok")).toBe("ok\n");
  });

  test("a shell that ends with the codes of a failed start is an ordinary result", async () => {
    for (const exitCode of [126, 127])
      expect((await runText(place, `exit ${exitCode}`)).exitCode).toBe(exitCode);
  });

  test("a broken connection is not the end of the run: the run is ended, and its result is not a success", async () => {
    const { relay, own } = await relayed();
    const { result } = await started(own, ENDLESS);
    relay.cut();
    const error = await result.catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { treeEnded: true } });
    expect(String(error)).toMatch(
      /It is unknown how the command ended.*None of its processes is left.*before you run it again/s,
    );
    expect(await survivors(own)).toEqual([]);
    expect(await printed(own, "cat out/begun")).toBe("x\n");
  });

  if (name === "tcp")
    test("a run on a connection without traffic settles at its timeout, within the deadline of one engine call", async () => {
      const { relay, own } = await relayed({ callTimeoutMs: 10_000 });
      const reachTimeout = heldTimer(TIMEOUT_MS);
      const run = await own.start(command(ENDLESS, { timeoutMs: TIMEOUT_MS }));
      for await (const _ of run.output()) break;
      relay.hang();
      reachTimeout();
      const first = await Promise.race([run.result, twoUnansweredCalls(own)]);
      relay.goOn();
      if (first === "two calls") throw new Error("Two calls were given up before the run was settled.");
      expect([first.timedOut, first.treeEnded]).toEqual([true, false]);
      expect(first.diagnostics).toMatchObject([
        { code: "run.tree-not-ended", message: expect.stringMatching(/did not respond within 10000 ms/) },
      ]);
      expect(await printed(own, "echo ok")).toBe("ok\n");
    });

  async function relayed(more: DockerRuntimeOptions = {}) {
    const relay = await byteRelay(host);
    const own = await runPlace({ engine: { host: relay.host }, image, ...more });
    onTestFinished(async () => {
      await own.dispose();
      await relay[Symbol.asyncDispose]();
    });
    return { relay, own };
  }
});

if ((await engines(["docker"])).length > 0)
  describe("an engine that stops during a run", () => {
    test("permanently: the outcome is unknown, and the command is not run again", async () => {
      const { engine, place } = await ownEngine({}, "disk");
      const { result } = await started(place, ENDLESS);
      await engine.kill("SIGKILL");
      const error = await result.catch((caught: unknown) => caught);
      expect(SkillError.is(error, "BACKEND_FAILED")).toBe(true);
      expect(String(error)).toMatch(/It is unknown how the command ended.*Check its outputs/s);
      await engine.start();
      expect(await printed(place, "cat out/begun")).toBe("x\n");
      expect(await survivors(place)).toEqual([]);
    });

    test("and restarts at once: the same, and what it started is gone", async () => {
      const { engine, place } = await ownEngine({}, "disk");
      const { result } = await started(place, ENDLESS);
      const over = result.catch((caught: unknown) => caught);
      await engine.kill("SIGTERM");
      await engine.start();
      const outcome = await over;
      if (SkillError.is(outcome)) expect(outcome.code).toBe("BACKEND_FAILED");
      else expect(outcome).toMatchObject({ exitCode: 137, diagnostics: [{ code: STOPPED_OR_UNKNOWN }] });
      expect(await printed(place, "cat out/begun")).toBe("x\n");
    });

    test("and hangs: a run's timeout settles it within the deadline of one call, with an unknown outcome", async () => {
      const { engine, place } = await ownEngine({}, "memory", { callTimeoutMs: 10_000 });
      const reachTimeout = heldTimer(TIMEOUT_MS);
      const run = await place.start(command(ENDLESS, { timeoutMs: TIMEOUT_MS }));
      for await (const _ of run.output()) break;
      await engine.hang();
      reachTimeout();
      const first = await Promise.race([run.result, twoUnansweredCalls(place)]);
      await engine.goOn();
      if (first === "two calls") throw new Error("Two calls were given up before the run was settled.");
      const { timedOut, treeEnded, diagnostics } = first;
      expect([timedOut, treeEnded]).toEqual([true, false]);
      expect(diagnostics).toMatchObject([
        { code: "run.tree-not-ended", message: expect.stringMatching(/did not respond within 10000 ms/) },
      ]);
      expect(await printed(place, "echo ok")).toBe("ok\n");
    });

    test("with containers that survive it: running processes are ended by the next host that attaches", async () => {
      const { engine, place } = await ownEngine({ liveRestore: true }, "disk");
      const { result } = await started(place, ENDLESS);
      await engine.kill("SIGKILL");
      const error = await result.catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { treeEnded: false } });
      expect(String(error)).toMatch(/It may still be running/);
      await engine.start();
      expect((await survivors(place)).length).toBeGreaterThan(0);
      await endLeftovers(place.container, "another host");
      expect(await survivors(place)).toEqual([]);
    });
  });

async function ownEngine(
  options: Parameters<typeof startDockerEngine>[0],
  storage: "memory" | "disk",
  more: DockerRuntimeOptions = {},
) {
  const engine = await startDockerEngine(options);
  onTestFinished(() => engine.stop());
  const image = await testImage(engine.host, "base");
  const place = await runPlace({ engine: { host: engine.host }, image, storage, ...more });
  return { engine, place };
}

/** Takes twice the deadline of a call, on an engine that hangs. */
async function twoUnansweredCalls({ container }: RunPlace): Promise<"two calls"> {
  const { docker, call } = container.engine;
  for (const what of ["first", "second"]) await call(what, () => docker.version()).catch(() => undefined);
  return "two calls";
}
