import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { outputOf, startHost } from "./host-process.js";
import { command, printed } from "./running.js";

const BEAT = "while :; do echo x >> work/beat; sleep 0.05; done";
/** Says `on` when there is a first beat. */
const BEATING = `echo x >> work/beat; echo on; ${BEAT}`;

describe.each(await engines())("a process of ours that is killed during a run, on $name", (engine) => {
  test.each([
    { what: "that has just begun", text: BEATING, livesMs: 0, thenMs: 0 },
    { what: "that others have seen", text: BEATING, livesMs: 1500, thenMs: 0 },
    {
      what: "that then detached itself and killed its first process",
      text: `setsid bash -c '${BEAT}' & until [ -e work/beat ]; do sleep 0.05; done; echo on; sleep 0.5; kill -9 $PPID; sleep 600`,
      livesMs: 0,
      thenMs: 1000,
    },
  ])(
    "a run $what is ended by the next process that attaches, before anything else runs",
    async ({ text, livesMs, thenMs }) => {
      const subject = subjectOn(engine);
      const host = await startHost(engine, subject, { text });
      await delayOf(livesMs);
      await kill(host);
      await delayOf(thenMs);
      const attached = await subject.other.attach("w");
      if (!attached) throw new Error("There is no workspace any more.");
      expect(await printed(attached, UNCHANGED)).toBe("still");
    },
  );

  test("the first run after a host of this machine was killed does not wait", async () => {
    const subject = subjectOn(engine);
    const host = await startHost(engine, subject, { text: BEATING });
    await kill(host);
    const attached = await subject.other.attach("w");
    // Never gives up on hosts of other machines.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    expect(attached && (await printed(attached, UNCHANGED))).toBe("still");
  });

  test("attaching only to look ends it too", async () => {
    const subject = subjectOn(engine);
    const host = await startHost(engine, subject, { text: BEATING });
    await kill(host);
    const attached = await subject.other.attach("w");
    if (!attached) throw new Error("There is no workspace any more.");
    await expect.poll(() => isStill(attached)).toBe(true);
  });

  test("runs of live processes are not disturbed, even where another's was ended, and keep their limits", async () => {
    const subject = subjectOn(engine);
    const limited = { limits: { processes: 20 } };
    const workspace = await subject.runtime.create("w");
    const ours = await workspace.start(
      command("echo on; read -r line; echo $line", { ...limited, interactive: true, timeoutMs: 600_000 }),
    );
    const host = await startHost(engine, subject, { text: BEATING });
    const other = await startHost(engine, subject, {
      text: "echo on; until [ -e work/go ]; do sleep 0.05; done; echo done",
    });
    const result = outputOf(other);
    await kill(host);
    const attached = await subject.other.attach("w");
    expect(attached && (await printed(attached, UNCHANGED))).toBe("still");
    await ours.write(Buffer.from("well\n"));
    await ours.endInput();
    expect(await ours.result).toMatchObject({ exitCode: 0, stdout: { text: "on\nwell\n" } });
    await attached?.put([{ path: "work/go", content: "" }]);
    expect(await result).toMatch(/^done\n.*"exitCode":0/s);
  });

  test("nothing of a host stays in a container when its runtime is closed", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    await printed(workspace, "true");
    const attached = await subject.other.attach("w");
    if (!attached) throw new Error("There is no workspace.");
    const connections = "ps -o args | grep -c '[s]upervisor connect' || true";
    expect(await printed(attached, connections)).toBe("2");
    await subject.runtime.close();
    await expect.poll(() => printed(attached, connections)).toBe("1");
  });
});

const UNCHANGED = "a=$(wc -c <work/beat); sleep 0.5; test $a = $(wc -c <work/beat) && echo still";

function subjectOn(engine: TestEngine): DockerSubject {
  const subject = dockerSubject(engine);
  onTestFinished(subject.dispose);
  return subject;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error("It has ended by itself.");
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function delayOf(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Nothing was added for several beats. */
async function isStill(workspace: RuntimeWorkspace): Promise<boolean> {
  const size = async () => (await workspace.list("work")).find(({ path }) => path === "work/beat")?.size ?? 0;
  const before = await size();
  await delayOf(500);
  return before > 0 && (await size()) === before;
}
