import { once } from "node:events";
import type { RuntimeWorkspace } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { findContainer } from "../../src/container/found-container.js";
import { META } from "../../src/container/workspace-container.js";
import { connectEngine } from "../../src/engine/connect-engine.js";
import { dockerRuntime } from "../../src/index.js";
import { RECORDS } from "../../src/stream/supervisor-place.js";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines, type TestEngine } from "../engine-setup/engines.js";
import { startHost } from "./host-process.js";
import { command, printed, runText } from "./running.js";

const ONCE = "echo ran >> work/ran; echo on";

describe.each(await engines())("a run that is kept, in a container, on $name", (engine) => {
  test("KEY-04: goes on when its host is killed, and another host gets the rest of it", async () => {
    const subject = subjectOn(engine);
    const text = `${ONCE}; until [ -e work/go ]; do sleep 0.02; done; echo rest; exit 3`;
    const host = await startHost(engine, subject, { text, runId: "a", keep: true });
    const killed = once(host, "exit");
    host.kill("SIGKILL");
    await killed;
    const there = await attached(subject);
    // The first command of a host ends what nobody waits for.
    expect(await printed(there, "echo other")).toBe("other");
    const run = await runOf(there, "a");
    await there.put([{ path: "work/go", content: "" }]);
    expect(await run.result).toMatchObject({ exitCode: 3, treeEnded: true, stdout: { text: "on\nrest\n" } });
    expect(await runText(there, ONCE, { runId: "a", keep: true })).toEqual(await run.result);
    expect(await printed(there, "cat work/ran")).toBe("ran");
  });

  test("KEY-05: its command cannot end its supervisor, and neither read nor change its record", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const attack = `
      for place in ${RECORDS} ${META}; do ls $place && echo listed; done
      for pid in /proc/[0-9]*; do
        pid=\${pid#/proc/}
        [ $pid = $$ ] || kill -9 $pid 2>/dev/null
        cat /proc/$pid/environ >/dev/null 2>&1 && [ "$(stat -c %u /proc/$pid)" = 0 ] && echo "read $pid"
        for file in /proc/$pid/fd/*; do [ "$(stat -c %u /proc/$pid)" = 0 ] && echo gone > $file && echo written; done
      done 2>/dev/null
      (kill -9 -1) 2>/dev/null
      exit 7`;
    const text = `bash -c '${attack.replaceAll("'", "'\\''")}'; echo code $?; exit 5`;
    const result = await runText(workspace, text, { runId: "a", keep: true });
    expect(result.stdout.text).not.toMatch(/listed|read|written/);
    expect(result).toMatchObject({ treeEnded: true, timedOut: false });
    expect(result.diagnostics.map(({ code }) => code)).not.toContain("run.outcome-unknown");
    // A command may end itself; what its supervisor saw is then the outcome.
    expect([5, 137]).toContain(result.exitCode);
    expect(await runText(await attached(subject), "echo other", { runId: "a", keep: true })).toEqual(result);
  });

  test("KEY-06: whose supervisor is killed has an unknown outcome, and is not run again", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const run = await workspace.start(command(`${ONCE}; sleep 600`, { runId: "a", keep: true }));
    for await (const { bytes } of run.output()) if (String(Buffer.from(bytes)).includes("on")) break;
    await killSupervisors(engine, subject);
    const { diagnostics, exitCode } = await run.result;
    expect(diagnostics.map(({ code }) => code)).toContain("run.outcome-unknown");
    expect(exitCode).toBe(137);
    await runText(workspace, ONCE, { runId: "a", keep: true });
    expect(await printed(workspace, "cat work/ran")).toBe("ran");
  });

  test("reports the limits that it reached, to every host", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const hog = "set -o pipefail; head -c 100000000 /dev/zero | tail -c 100000000 | wc -c";
    const limits = { memoryBytes: 48 * 1024 * 1024 };
    const held = await runText(workspace, hog, { runId: "a", keep: true, limits });
    expect(held.diagnostics.map(({ code }) => code)).toEqual(["limit.memoryBytes-reached"]);
    expect(await (await runOf(await attached(subject), "a")).result).toEqual(held);
    const full = await runText(workspace, "head -c 5000 /dev/zero > work/f", {
      runId: "b",
      keep: true,
      limits: { fileBytes: 4096 },
    });
    expect(full.diagnostics.map(({ code }) => code)).toEqual(["limit.fileBytes-reached"]);
    expect(await printed(workspace, hog)).toBe("100000000");
  });

  test("is ended when no host with a handle of it is alive for the length of its lease", async () => {
    const subject = subjectOn(engine);
    const { host, image } = engine;
    const { namespace } = subject;
    const brief = dockerRuntime({ engine: { host }, image, pull: "never", namespace, leaseMs: 200 });
    const workspace = await brief.create("w");
    const left = await workspace.start(
      command(`${ONCE}; while :; do date +%s%N > work/beat; done`, { runId: "a", keep: true }),
    );
    for await (const { bytes } of left.output()) if (String(Buffer.from(bytes)).includes("on")) break;
    left.result.catch(() => undefined);
    await brief.close();
    const there = await attached(subject);
    const beats = async () => await printed(there, "ps -o args | grep -c '[w]ork/beat' || true");
    await expect.poll(beats).toBe("0");
    const { diagnostics, treeEnded } = await (await runOf(there, "a")).result;
    expect(diagnostics.map(({ code }) => code)).toContain("run.lease-lapsed");
    expect(treeEnded).toBe(true);
  });
});

function subjectOn(engine: TestEngine): DockerSubject {
  const subject = dockerSubject(engine);
  onTestFinished(() => subject.dispose());
  return subject;
}

async function attached({ other }: DockerSubject): Promise<RuntimeWorkspace> {
  const workspace = await other.attach("w");
  if (!workspace) throw new Error("There is no workspace any more.");
  return workspace;
}

async function runOf(workspace: RuntimeWorkspace, runId: string) {
  const run = await workspace.runOf(runId);
  if (!run) throw new Error("There is no such run.");
  return run;
}

/** As the system does when it is short of memory. */
async function killSupervisors({ host }: TestEngine, { namespace }: DockerSubject): Promise<void> {
  const engine = await connectEngine({ engine: { host }, callTimeoutMs: 30_000 });
  const found = await findContainer(engine, namespace, "w");
  if (!found || found === "stranger") throw new Error("There is no container.");
  // Those of runs are copies of the first process.
  const script = `for pid in /proc/[0-9]*; do pid=\${pid#/proc/}; [ $pid = 1 ] && continue; case "$(tr "\\0" " " < /proc/$pid/cmdline)" in "/.skillwright/supervisor serve "*) kill -9 $pid ;; esac; done`;
  const exec = await engine.docker
    .getContainer(found.id)
    .exec({ Cmd: ["bash", "-c", script], User: "0:0", AttachStdout: true });
  const stream = await exec.start({});
  stream.resume();
  await once(stream, "end");
  engine.close();
}
