import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDockerEngine } from "../../../../scripts/engines/docker-engine.mjs";
import { testImage } from "../../../../scripts/engines/test-images/test-image.mjs";
import type { DockerRuntimeOptions } from "../../src/index.js";
import { byteRelay } from "../engine/byte-relay.js";
import { engineRelay } from "../engine/engine-relay.js";
import { unawareEngine } from "../engine/unaware-engine.js";
import { engines } from "../engine-setup/engines.js";
import { survivors } from "./invariants.js";
import { command, printed, type RunPlace, runPlace, runText, started, startIn } from "./run-place.js";

const ENDLESS = "echo x >> out/begun; echo begun; while :; do sleep 0.05; done";

const WAITING =
  "echo x >> out/begun; echo begun; until [ -e work/go ]; do sleep 0.05; done; echo over; exit 3";

/** Engines stop a container before they remove it, and may be queried between the two. */
const ENDED = expect.stringMatching(/^container\.(removed|stopped)$/);

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
    const run = await place.start(command(ENDLESS, { timeoutMs: 1000 }));
    for await (const _ of run.output()) break;
    await place.container.container.pause();
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

  test("a broken connection is not the end of the run: its handle follows it again, and nothing runs twice", async () => {
    const { relay, own } = await relayed();
    const run = await started(own, WAITING);
    const text = (async () => {
      let all = "";
      for await (const { bytes } of run.output()) all += Buffer.from(bytes).toString("utf8");
      return all;
    })();
    relay.cut();
    await printed(own, "touch work/go");
    expect(await run.result).toMatchObject({ exitCode: 3, treeEnded: true, diagnostics: [] });
    expect(await text).toBe("begun\nover\n");
    expect(await printed(own, "cat out/begun")).toBe("x\n");
  });

  test("what was written to a run's input before its connection broke arrives, and more can be written", async () => {
    const { relay, own } = await relayed();
    const run = await own.start(
      command("echo begun; read a; echo $a; read b; echo $b; cat", { interactive: true }),
    );
    const pieces = run.output()[Symbol.asyncIterator]();
    expect(Buffer.from((await pieces.next()).value?.bytes ?? "").toString()).toBe("begun\n");
    await run.write(Buffer.from("first\n"));
    expect(Buffer.from((await pieces.next()).value?.bytes ?? "").toString()).toBe("first\n");
    relay.cut();
    await expect
      .poll(() =>
        run.write(Buffer.from("second\n")).then(
          () => "written",
          () => "lost",
        ),
      )
      .toBe("written");
    await run.endInput();
    expect((await run.result).stdout.text).toBe("begun\nfirst\nsecond\n");
  });

  test("a run that ends with its host is ended when the connection breaks", async () => {
    const { relay, own } = await relayed();
    const run = await own.start(command(ENDLESS, { endsWithHost: true }));
    for await (const _ of run.output()) break;
    relay.cut();
    const { exitCode, treeEnded, diagnostics } = await run.result;
    expect([exitCode, treeEnded]).toEqual([137, true]);
    expect(diagnostics).toMatchObject([{ code: "run.outcome-unknown" }]);
    expect(await survivors(own)).toEqual([]);
  });

  if (name === "tcp")
    test("a run on a connection without traffic is settled when it is aborted, within the deadline of one engine call", async () => {
      const { relay, own } = await relayed({ callTimeoutMs: 10_000 });
      const { run, abort } = await abortable(own);
      relay.hang();
      abort();
      const first = await Promise.race([run.result, twoUnansweredCalls(own)]);
      relay.goOn();
      if (first === "two calls") throw new Error("Two calls were given up before the run was settled.");
      expect([first.aborted, first.treeEnded]).toEqual([true, false]);
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
    test("permanently: when the run's lease is over, its result fails with an unknown outcome, and the command is not run again", async () => {
      const { engine, place } = await ownEngine({}, "disk", { leaseMs: 2000 });
      const { result } = await started(place, ENDLESS);
      await engine.kill("SIGKILL");
      const error = await result.catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "BACKEND_FAILED", details: { treeEnded: false } });
      expect(String(error)).toMatch(/It is unknown how the command ended.*2000 ms.*Check its outputs/s);
      await engine.start();
      expect(await printed(place, "cat out/begun")).toBe("x\n");
      expect(await survivors(place)).toEqual([]);
    });

    test("and restarts at once: its containers ended, and with them the run", async () => {
      const { engine, place } = await ownEngine({}, "disk");
      const { result } = await started(place, ENDLESS);
      await engine.kill("SIGTERM");
      await engine.start();
      expect(await result).toMatchObject({ exitCode: 137, diagnostics: [{ code: "container.stopped" }] });
      expect(await printed(place, "cat out/begun")).toBe("x\n");
    });

    test("and hangs: a run that is aborted is settled within the deadline of one call, with an unknown outcome", async () => {
      const { engine, place } = await ownEngine({}, "memory", { callTimeoutMs: 10_000 });
      const { run, abort } = await abortable(place);
      await engine.hang();
      abort();
      const first = await Promise.race([run.result, twoUnansweredCalls(place)]);
      await engine.goOn();
      if (first === "two calls") throw new Error("Two calls were given up before the run was settled.");
      expect([first.aborted, first.treeEnded]).toEqual([true, false]);
      expect(first.diagnostics).toMatchObject([
        { code: "run.tree-not-ended", message: expect.stringMatching(/did not respond within 10000 ms/) },
      ]);
      expect(await printed(place, "echo ok")).toBe("ok\n");
    });
  });

async function abortable(place: Pick<RunPlace, "start">) {
  const controller = new AbortController();
  const run = await place.start(command(ENDLESS), { signal: controller.signal });
  for await (const _ of run.output()) break;
  return { run, abort: () => controller.abort() };
}

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
