import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DockerRuntime } from "../../src/index.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { outputOf, startHost } from "./host-process.js";
import { listedCommands } from "./listed-commands.js";
import { command, printed } from "./running.js";

const BEAT = "while :; do echo x >> work/beat; sleep 0.05; done";
/** Says `on` when there is a first beat. */
const BEATING = `echo x >> work/beat; echo on; ${BEAT}`;
/** Prints how many processes of the beat there are. */
const BEATS = "ps -o args | grep -c '[w]ork/beat' || true";
/** Ends its run's first process once its host is gone. */
const DETACHED = `setsid bash -c '${BEAT}' & until [ -e work/beat ]; do sleep 0.05; done; echo on;
  while ps -o args | grep -q '[s]upervisor connect'; do sleep 0.05; done; kill -9 $PPID; exec sleep 600`;

describe.each(await engines())("a process of ours that is killed during a run, on $name", (engine) => {
  test.each([
    { what: "that has just begun", isSeen: false },
    { what: "that others have seen", isSeen: true },
  ])(
    "a run $what is ended by the next process that attaches, before anything else runs",
    async ({ isSeen }) => {
      const subject = subjectOn(engine);
      const host = await startHost(engine, subject, { text: BEATING });
      if (isSeen) expect(await printed(await attachedTo(subject.runtime), BEATS)).not.toBe("0");
      await kill(host);
      expect(await printed(await attachedTo(subject.other), BEATS)).toBe("0");
    },
  );

  test("a run that then detached itself and killed its first process is ended by the next process that attaches", async () => {
    const subject = subjectOn(engine);
    await kill(await startHost(engine, subject, { text: DETACHED }));
    const isUnkilled = async () =>
      (await listedCommands(engine, subject)).some((line) => line.includes("kill -9"));
    await expect.poll(isUnkilled).toBe(false);
    expect(await printed(await attachedTo(subject.other), BEATS)).toBe("0");
  });

  test("the first run after a host of this machine was killed does not wait", async () => {
    const subject = subjectOn(engine);
    const host = await startHost(engine, subject, { text: BEATING });
    await kill(host);
    const attached = await attachedTo(subject.other);
    // Never gives up on hosts of other machines.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    expect(await printed(attached, BEATS)).toBe("0");
  });

  test("attaching only to look ends it too", async () => {
    const subject = subjectOn(engine);
    const host = await startHost(engine, subject, { text: BEATING });
    await kill(host);
    await attachedTo(subject.other);
    const beats = async () => (await listedCommands(engine, subject)).filter((line) => line.includes("beat"));
    await expect.poll(beats).toEqual([]);
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
    const attached = await attachedTo(subject.other);
    expect(await printed(attached, BEATS)).toBe("0");
    await ours.write(Buffer.from("well\n"));
    await ours.endInput();
    expect(await ours.result).toMatchObject({ exitCode: 0, stdout: { text: "on\nwell\n" } });
    await attached.put([{ path: "work/go", content: "" }]);
    expect(await result).toMatch(/^done\n.*"exitCode":0/s);
  });

  test("nothing of a host stays in a container when its runtime is closed", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    await printed(workspace, "true");
    const attached = await attachedTo(subject.other);
    const connections = "ps -o args | grep -c '[s]upervisor connect' || true";
    expect(await printed(attached, connections)).toBe("2");
    await subject.runtime.close();
    await expect.poll(() => printed(attached, connections)).toBe("1");
  });
});

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

async function attachedTo(runtime: DockerRuntime): Promise<RuntimeWorkspace> {
  const attached = await runtime.attach("w");
  if (!attached) throw new Error("There is no workspace any more.");
  return attached;
}
