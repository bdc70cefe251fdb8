import { describe, expect, onTestFinished, test } from "vitest";
import { type DockerSubject, dockerSubject } from "../docker-subject.js";
import { engines, LOCAL_ENGINES, type TestEngine } from "../engine-setup/engines.js";
import { hostProcess, outputOf, resultsOf, startHost } from "./host-process.js";
import { printed, runText } from "./running.js";

const MEBIBYTE = 1024 * 1024;
const STRICT = { memoryBytes: 64 * MEBIBYTE, processes: 12 };
/** Processes that keep the container alive, show that hosts exist or wrap commands do not count as the run's. */
const MOST_OTHERS = 12;
/** The container's limits as a command sees them, by version 1 or 2 of control groups; only builtins. */
const LOOK = `g=/sys/fs/cgroup
for f in $g/memory/memory.limit_in_bytes $g/memory.max; do [ ! -r $f ] || read -r memory <$f; done
for f in $g/pids/pids.max $g/pids.max; do [ ! -r $f ] || read -r processes <$f; done
echo "$memory $processes"`;
const HOG = "set -o pipefail; head -c 100000000 /dev/zero | tail -c 100000000 | wc -c";

describe.each(await engines(LOCAL_ENGINES))("limits of runs of several processes, on $name", (engine) => {
  test("a run keeps its limits while another process runs commands in the same workspace", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const watch = `echo on; until [ -e work/go ]; do ${LOOK}; sleep 0.02; done | sort -u; echo over`;
    const strict = await startHost(engine, subject, { text: watch, limits: STRICT });
    const watched = outputOf(strict);
    const looser = { memoryBytes: 256 * MEBIBYTE, processes: 60 };
    const [seen] = await resultsOf(hostProcess(engine, subject, { text: LOOK, limits: looser, times: 2 }));
    expect(numbersOf(seen?.stdout.text ?? "")[0]).toEqual([STRICT.memoryBytes, expect.any(Number)]);
    await workspace.put([{ path: "work/go", content: "" }]);
    const lines = (await watched).split("over\n")[0] ?? "";
    expect(lines).not.toBe("");
    for (const numbers of numbersOf(lines)) expectStrict(numbers);
  });

  test("a run of another process is held to the limits of a run in progress, and free of them after its end", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const wait = "echo on; until [ -e work/go ]; do sleep 0.02; done";
    const over = outputOf(await startHost(engine, subject, { text: wait, limits: STRICT }));
    // Once, because the system may take the other run as its second victim.
    const [held] = await resultsOf(hostProcess(engine, subject, { text: HOG }));
    expect(held?.exitCode).toBeGreaterThan(0);
    await workspace.put([{ path: "work/go", content: "" }]);
    await over;
    expect(await printed(workspace, HOG)).toBe("100000000");
  });

  test("limits apply from the first moment of a run, even while others start concurrently", async () => {
    const subject = subjectOn(engine);
    const workspace = await subject.runtime.create("w");
    const looser = { memoryBytes: 256 * MEBIBYTE };
    const others = [{}, looser].map((limits) =>
      outputOf(hostProcess(engine, subject, { text: "true", limits, times: 3 })),
    );
    const ours = await resultsOf(
      hostProcess(engine, subject, { text: `${LOOK}; ${LOOK}`, limits: STRICT, times: 3 }),
    );
    await Promise.all(others);
    expect(ours.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    for (const { stdout } of ours) for (const numbers of numbersOf(stdout.text)) expectStrict(numbers);
    expect((await runText(workspace, HOG)).exitCode).toBe(0);
  });

  test("after a host is killed, other hosts can still start runs with limits", async () => {
    const subject = subjectOn(engine);
    await subject.runtime.create("w");
    const text = "echo on; sleep 600";
    const killed = await startHost(engine, subject, { text, limits: STRICT, endsWithHost: true });
    killed.kill("SIGKILL");
    const limits = { memoryBytes: 256 * MEBIBYTE };
    const seen = async () => {
      const [result] = await resultsOf(hostProcess(engine, subject, { text: LOOK, limits }));
      return numbersOf(result?.stdout.text ?? "")[0]?.[0];
    };
    await expect.poll(seen).toBe(256 * MEBIBYTE);
  });
});

function subjectOn(engine: TestEngine): DockerSubject {
  const subject = dockerSubject(engine);
  onTestFinished(subject.dispose);
  return subject;
}

function numbersOf(text: string): number[][] {
  const lines = text.split("\n").filter((line) => /^\d+ \d+$/.test(line));
  return lines.map((line) => line.split(" ").map(Number));
}

function expectStrict([memory, processes]: readonly number[]): void {
  expect(memory).toBe(STRICT.memoryBytes);
  expect(processes).toBeGreaterThanOrEqual(STRICT.processes);
  expect(processes).toBeLessThanOrEqual(STRICT.processes + MOST_OTHERS);
}
