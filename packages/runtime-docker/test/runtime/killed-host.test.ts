import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DockerRuntime, DockerRuntimeOptions } from "../../src/index.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { outputOf, startHost } from "./host-process.js";
import { command, printed } from "./running.js";

const BEAT = "while :; do echo x >> work/beat; sleep 0.05; done";
/** Says `on` when there is a first beat. */
const BEATING = `echo x >> work/beat; echo on; ${BEAT}`;
/** Prints how many processes of the beat there are. */
const BEATS = "ps -o args | grep -c '[w]ork/beat' || true";
describe.each(await engines())("a process of ours that is killed during a run, on $name", (engine) => {
  test("a run goes on for the length of its lease, and is ended then with all its processes", async () => {
    const subject = subjectOn(engine, { leaseMs: 2000 });
    const detached = `setsid bash -c '${BEAT}' & ${BEATING}`;
    const host = await startHost(engine, subject, { text: detached, leaseMs: 2000 });
    await kill(host);
    const attached = await attachedTo(subject.other);
    expect(await printed(attached, BEATS)).not.toBe("0");
    await expect.poll(() => printed(attached, BEATS)).toBe("0");
  });

  test("a run that ends with its host is ended at once, before anything else runs", async () => {
    const subject = subjectOn(engine);
    await kill(await startHost(engine, subject, { text: BEATING, endsWithHost: true }));
    const attached = await attachedTo(subject.other);
    await expect.poll(() => printed(attached, BEATS)).toBe("0");
  });

  test("runs of live processes are not disturbed, even where another's was ended, and keep their limits", async () => {
    const subject = subjectOn(engine);
    const limited = { limits: { processes: 20 } };
    const workspace = await subject.runtime.create("w");
    const ours = await workspace.start(
      command("echo on; read -r line; echo $line", { ...limited, interactive: true, timeoutMs: 600_000 }),
    );
    const host = await startHost(engine, subject, { text: BEATING, endsWithHost: true });
    const other = await startHost(engine, subject, {
      text: "echo on; until [ -e work/go ]; do sleep 0.05; done; echo done",
    });
    const result = outputOf(other);
    await kill(host);
    const attached = await attachedTo(subject.other);
    await expect.poll(() => printed(attached, BEATS)).toBe("0");
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

function subjectOn(engine: TestEngine, more: DockerRuntimeOptions = {}): DockerSubject {
  const subject = dockerSubject(engine, more);
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
