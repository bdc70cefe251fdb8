import { randomUUID } from "node:crypto";
import type { RunEvent, ToolResult, Workspaces } from "@skillwright/core";
import { memoryArtifacts } from "@skillwright/repository-memory";
import {
  commandPolicy,
  type InteractiveOptions,
  type SkillToolsOptions,
  skillTools,
} from "@skillwright/tools";
import { describe, expect, test, vi } from "vitest";
import { heldTimer } from "../../../test/timing/held-timer.js";
import { processesWith } from "../../runtime-local/test/running.js";
import { callContext, caller, exampleCatalog, refusalOf, session } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

interface Answer {
  run_id: string;
  status: "running" | "waiting" | "exited";
  output: string;
  offset: number;
  next_offset: number;
  prompt?: string;
  exit_code?: number;
  ended_by?: string;
  output_files?: { name: string; content?: string }[];
}

async function setUp(interactive: true | InteractiveOptions = true, more: Partial<SkillToolsOptions> = {}) {
  const skills = exampleCatalog();
  const workspaces = await realWorkspaces(skills, { artifacts: memoryArtifacts() });
  const call = caller(skillTools({ skills, workspaces, interactive, ...more }));
  const answer = (result: ToolResult): Answer => {
    if (result.isError) throw new Error(JSON.stringify(result.output));
    return result.output as unknown as Answer;
  };
  const start = async (command: string, fields: object = {}) =>
    answer(await call("skill_start", { skill: "greeter", command, ...fields }));
  const poll = async (run_id: string, fields: object = {}) =>
    answer(await call("skill_poll", { run_id, ...fields }));
  const write = async (run_id: string, text?: string, fields: object = {}) =>
    answer(await call("skill_write", { run_id, text, ...fields }));
  const stop = async (run_id: string) => answer(await call("skill_stop", { run_id }));
  /** Polls until it has exited. */
  const end = async (run_id: string, fields: object = {}) => {
    for (;;) {
      const last = await poll(run_id, { wait: 5, ...fields });
      if (last.status === "exited") return last;
      // An answer from an earlier offset waits for nothing, so this loop would never let the end be seen.
      await new Promise(setImmediate);
    }
  };
  return { workspaces, call, start, poll, write, stop, end };
}

describe("a started run", () => {
  test("that prompts without a line break is waiting, with the prompt (RUN-11), and continues after input", async () => {
    const { start, write, end } = await setUp();
    const first = await start("printf 'Name? '; read name; echo \"Hello, $name\" | tee out/hello.txt", {
      outputs: { globs: ["out/**"], inline: true },
    });
    expect(first).toMatchObject({
      status: "waiting",
      prompt: "Name? ",
      output: "Name? ",
      offset: 0,
      next_offset: 6,
    });
    const next = await write(first.run_id, "Ada");
    expect(next).toMatchObject({ output: "Hello, Ada\n", offset: 6, next_offset: 17 });
    expect(await end(first.run_id)).toMatchObject({
      status: "exited",
      exit_code: 0,
      output_files: [{ name: "out/hello.txt", content: "Hello, Ada\n" }],
    });
  });

  test("returns its output by offset, new and old", async () => {
    const { start, poll } = await setUp();
    const { run_id } = await start("echo one; read go; echo two");
    expect(await poll(run_id, { wait: 0 })).toMatchObject({ status: "running", output: "" });
    expect(await poll(run_id, { offset: 1, wait: 0, max_bytes: 2 })).toMatchObject({
      output: "ne",
      offset: 1,
      next_offset: 3,
      more_bytes: 1,
    });
    expect(await poll(run_id, { offset: 0, wait: 0 })).toMatchObject({ output: "one\n" });
  });

  test("that has exited reports its end and its files on every call, and its artifacts once", async () => {
    const { start, call } = await setUp();
    const { run_id } = await start("sleep 1.2; echo a > out/a.txt; exit 3", {
      outputs: { globs: ["out/**"], save: true },
    });
    const done = await call("skill_poll", { run_id, wait: 30 });
    const again = await call("skill_poll", { run_id });
    for (const { output } of [done, again]) {
      expect(output).toMatchObject({
        status: "exited",
        exit_code: 3,
        output_files: [{ name: "out/a.txt" }],
        artifact_files: [{ name: "out/a.txt", version: 0 }],
      });
      expect(output).not.toHaveProperty("stdout");
    }
    expect([done.artifacts.length, again.artifacts.length]).toEqual([1, 0]);
  });

  test("closes its input on request", async () => {
    const { start, write, end } = await setUp();
    const { run_id } = await start("cat; echo over");
    await write(run_id, "text", { newline: false, end: true });
    expect(await end(run_id, { offset: 0 })).toMatchObject({ output: "textover\n", exit_code: 0 });
  });

  test("accepts no input once it is over", async () => {
    const { start, call, end } = await setUp();
    const { run_id } = await start("true");
    await end(run_id);
    expect(refusalOf(await call("skill_write", { run_id, text: "x" })).code).toBe("CLOSED");
  });

  test("holds the workspace's turn: other runs there are refused until it is over", async () => {
    const { start, call, stop } = await setUp();
    const { run_id } = await start("sleep 60");
    const other = { skill: "greeter", command: "echo ran" };
    for (const tool of ["skill_run", "skill_start"])
      expect(refusalOf(await call(tool, other))).toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining(
          `The run ${run_id} of "greeter" is still in progress in this workspace`,
        ),
      });
    await stop(run_id);
    expect((await call("skill_run", other)).output).toMatchObject({ stdout: "ran\n" });
  });

  test("belongs to its session", async () => {
    const { start, call } = await setUp();
    const { run_id } = await start("sleep 60");
    const other = callContext({ session: { ...session, session: "s2" } });
    for (const tool of ["skill_poll", "skill_stop", "skill_write"])
      expect(
        refusalOf(await call(tool, { run_id, ...(tool === "skill_write" && { text: "x" }) }, other)),
      ).toMatchObject({
        code: "RUN_NOT_FOUND",
        message: expect.stringContaining("There are none; start one with skill_start"),
      });
  });
});

describe("stopping a started run", () => {
  test("asks it to end first", async () => {
    const { start, stop } = await setUp();
    // However slow the machine is, the time after which it is killed does not pass.
    heldTimer(2000);
    const { run_id } = await start("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done");
    expect(await stop(run_id)).toMatchObject({
      status: "exited",
      ended_by: "stop",
      exit_code: 5,
      output: expect.stringContaining("bye\n"),
    });
  });

  test("kills it after two seconds, and none of its processes is left", async () => {
    const { start, stop, poll } = await setUp();
    const passGrace = heldTimer(2000);
    const mark = randomUUID();
    const { run_id } = await start(
      `: ${mark}; trap 'echo stays' TERM; echo ready; while :; do sleep 0.05; done`,
    );
    const stopping = stop(run_id);
    await vi.waitFor(async () => expect((await poll(run_id, { offset: 0 })).output).toContain("stays"), {
      timeout: 180_000,
    });
    passGrace();
    expect(await stopping).toMatchObject({ status: "exited", ended_by: "stop", exit_code: 137 });
    if (process.platform === "linux") expect(processesWith(mark)).toEqual([]);
  });

  test("happens automatically after the idle time, and it is forgotten after another (RUN-12)", async () => {
    const idleMs = 1_234_567;
    const { call, poll } = await setUp({ idleMs });
    const passIdleTime = heldTimer(idleMs);
    const ended = new Promise<void>((resolve) => {
      const onEvent = ({ type }: RunEvent) => type === "run.ended" && resolve();
      const started = { skill: "greeter", command: "echo on; sleep 600" };
      void call("skill_start", started, callContext({ onEvent })).then(passIdleTime);
    });
    await ended;
    const [, runId = ""] =
      /There are: (\S+)\./.exec(refusalOf(await call("skill_poll", { run_id: "?" })).message) ?? [];
    const passAnother = heldTimer(idleMs);
    expect(await poll(runId, { wait: 5 })).toMatchObject({ status: "exited", ended_by: "idle" });
    passAnother();
    expect(refusalOf(await call("skill_poll", { run_id: runId })).code).toBe("RUN_NOT_FOUND");
  });

  test("happens when the call that started it ends, because nobody knows the run", async () => {
    const { call, workspaces } = await setUp();
    const leaving = new AbortController();
    const context = callContext({
      signal: leaving.signal,
      onEvent: ({ type }) => type === "run.started" && leaving.abort(),
    });
    const result = await call("skill_start", { skill: "greeter", command: "sleep 60" }, context);
    expect(refusalOf(result).code).toBe("ABORTED");
    const { id } = await workspaces.forSession(session);
    expect(await workspaces.run(id, { command: "echo free" })).toMatchObject({ stdout: { text: "free\n" } });
  });

  test("happens when its workspace is destroyed", async () => {
    const { start, workspaces, poll } = await setUp();
    const { run_id } = await start("sleep 60");
    const { id } = await workspaces.forSession(session);
    await workspaces.destroy(id);
    expect(await poll(run_id, { wait: 5 })).toMatchObject({ status: "exited", exit_code: 137 });
  });
});

describe("starting a run", () => {
  test("is refused where too many are active", async () => {
    const { start, call } = await setUp({ maxRuns: 1 });
    await start("sleep 60");
    const other = callContext({ session: { ...session, session: "s2" } });
    expect(refusalOf(await call("skill_start", { skill: "greeter", command: "true" }, other))).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringContaining("1 started runs are in progress"),
    });
  });

  test("checks policy, approval and load like skill_run", async () => {
    const { call } = await setUp(true, { policy: commandPolicy({ allowed: ["echo"] }), requireLoad: true });
    const input = { skill: "greeter", command: "cat" };
    expect(refusalOf(await call("skill_start", input)).message).toContain("Load the skill first");
    const state = { "temp:skill:loaded:greeter": "1" };
    expect(refusalOf(await call("skill_start", input, callContext({ state }))).message).toContain(
      '"cat" is not',
    );
  });

  test("fails like skill_run", async () => {
    const { call } = await setUp();
    expect(refusalOf(await call("skill_start", { skill: "none", command: "true" })).code).toBe(
      "SKILL_NOT_FOUND",
    );
    const outside = { skill: "greeter", command: "true", cwd: "/etc" };
    expect(refusalOf(await call("skill_start", outside)).code).toBe("PATH_OUTSIDE");
  });
});

describe("the tools", () => {
  test("exist only on request, and only over workspaces that support them", () => {
    const skills = exampleCatalog();
    const { workspaces } = recordingWorkspaces();
    const names = (more: Partial<SkillToolsOptions>, over: Workspaces = workspaces) =>
      skillTools({ skills, workspaces: over, ...more }).map(({ name }) => name);
    expect(names({})).not.toContain("skill_start");
    expect(() => names({ interactive: true })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    const able = { ...workspaces, start: () => Promise.reject(new Error()) };
    expect(names({ interactive: true }, able).slice(-4)).toEqual([
      "skill_start",
      "skill_poll",
      "skill_write",
      "skill_stop",
    ]);
    expect(() => names({ interactive: { maxRuns: 0 } }, able)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
