import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { type RunCommand, type RunHandle, run, type StagedSkill } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { untilItIs } from "./cluster-parts.js";
import {
  command,
  expectUseful,
  onRestarts,
  optionsIn,
  printed,
  restarted,
  settled,
} from "./restarting-server.js";

const LARGE = 20_000_000;
const UNTIL_GO = "echo begun; until [ -e work/go ]; do sleep 0.05; done; echo done; exit 6";
const BEATS = "echo begun; while :; do echo x >> work/beat; sleep 0.05; done";
/** Ends where nothing beats any more. */
const STILL =
  "while a=$(wc -c < work/beat); sleep 0.5; [ $a != $(wc -c < work/beat) ]; do :; done; echo still";

onRestarts(
  "a workspace in use while the API server is killed and started again",
  "a pod on runc",
  (namespace) => {
    test("leaves nothing half done, its runs go on, and no run is done twice (KUBE-48)", async () => {
      await using runtime = kubernetesRuntime(optionsIn(namespace()));
      await using other = kubernetesRuntime(optionsIn(namespace()));
      const workspace = await runtime.create("w1");
      await printed(workspace, `head -c ${LARGE} /dev/zero > out/large`);
      const back = signal();
      const reached = { stage: signal(), put: signal(), get: signal() };
      const kept = await begun(workspace, command(UNTIL_GO, "a"));
      const unkept = await begun(workspace, command(BEATS));
      const staging = settled(workspace.stage(skill(reached.stage.give, back.given)));
      const putting = settled(
        workspace.put([{ path: "work/up", content: halves(reached.put.give, back.given) }]),
      );
      const getting = settled(bytesOf(workspace, reached.get.give, back.given));
      await Promise.all(Object.values(reached).map(({ given }) => given));
      const withKeep = startedUntil(back.given, workspace, (name) => command(`echo x >> work/${name}`, name));
      const without = startedUntil(back.given, workspace, (name) => command(`echo x >> work/no-${name}`));
      await expect.poll(() => Math.min(withKeep.started.size, without.started.size)).toBeGreaterThan(2);
      await restarted();
      back.give();

      for (const outcome of [await staging, await putting, await getting]) expectUseful(outcome);
      if (typeof (await getting) === "number") expect(await getting).toBe(LARGE);
      const there = await untilItIs(() => other.attach("w1"));
      const isUploaded = (await there.list("work")).some(({ path }) => path === "work/up");
      expect(isUploaded).toBe(!SkillError.is(await putting));
      // A recorded digest says that all its files are there.
      if ((await there.staged()).has("demo"))
        expect(await printed(there, "cat skills/demo/*")).toBe("onetwo");
      await workspace.stage(skill());
      await workspace.put([{ path: "work/up", content: halves() }]);
      expect(await printed(there, "cat skills/demo/*; wc -c < work/up")).toBe(`onetwo${LARGE}\n`);
      expect(await bytesOf(workspace)).toBe(LARGE);

      const found = await there.runOf("a");
      await there.put([{ path: "work/go", content: "" }]);
      for (const handle of [kept, found])
        expect(await handle?.result).toMatchObject({ exitCode: 6, stdout: { text: "begun\ndone\n" } });
      await unkept.signal("SIGKILL");
      expect(await unkept.result).toMatchObject({ exitCode: 137, treeEnded: true });
      expect(await printed(there, STILL)).toBe("still\n");

      await Promise.all([withKeep.over, without.over]);
      const before = await timesRun(there);
      for (const [name, outcome] of [...withKeep.started, ...prefixed(without.started)]) {
        expectUseful(outcome);
        const times = before.get(name) ?? 0;
        if (!SkillError.is(outcome)) expect([name, times]).toEqual([name, 1]);
        else if (/not started/.test(outcome.message)) expect([name, times]).toEqual([name, 0]);
      }
      for (const [name, outcome] of withKeep.started)
        if (SkillError.is(outcome)) await run(there, command(`echo x >> work/${name}`, name));
      const after = await timesRun(there);
      for (const name of withKeep.started.keys()) expect([name, after.get(name)]).toEqual([name, 1]);
    });
  },
);

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

function skill(reached = () => {}, back = Promise.resolve()): StagedSkill {
  return {
    ...{ name: "demo", digest: "sha256:1" },
    files: async function* () {
      yield { path: "SKILL.md", content: "one" };
      reached();
      await back;
      yield { path: "last.txt", content: "two" };
    },
  };
}

async function* halves(reached = () => {}, back = Promise.resolve()) {
  yield new Uint8Array(LARGE / 2);
  reached();
  await back;
  yield new Uint8Array(LARGE / 2);
}

async function bytesOf(workspace: RuntimeWorkspace, reached = () => {}, back = Promise.resolve()) {
  let bytes = 0;
  for await (const piece of await workspace.get("out/large")) {
    if (bytes === 0) reached();
    bytes += piece.byteLength;
    await back;
  }
  return bytes;
}

async function begun(workspace: RuntimeWorkspace, wanted: RunCommand): Promise<RunHandle> {
  const handle = await workspace.start(wanted);
  for await (const _ of handle.output()) break;
  return handle;
}

/** Runs one command after the other, so that one is being started or runs whenever the server is killed. */
function startedUntil(end: Promise<void>, workspace: RuntimeWorkspace, wanted: (name: string) => RunCommand) {
  const started = new Map<string, unknown>();
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  const over = (async () => {
    while (!isOver) {
      const name = `run-${started.size}`;
      started.set(name, await settled(workspace.start(wanted(name)).then(({ result }) => result)));
    }
  })();
  return { started, over };
}

function prefixed(started: ReadonlyMap<string, unknown>): readonly (readonly [string, unknown])[] {
  return [...started].map(([name, outcome]) => [`no-${name}`, outcome] as const);
}

async function timesRun(workspace: RuntimeWorkspace): Promise<ReadonlyMap<string, number>> {
  const lines = await printed(workspace, 'cd work; for f in *run-*; do echo "$f $(wc -l < $f)"; done');
  const words = lines
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  return new Map(words.map(([name = "", times]) => [name, Number(times)]));
}
