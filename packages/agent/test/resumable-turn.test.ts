import type { RecordStore, SkillTool, ToolContext } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordSessions, type Sessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "durable" };
const turn = { id: "t1" };
const SCRIPT: readonly ScriptedStep[] = [
  { text: "First. ", calls: [{ tool: "append", input: { n: 1 } }] },
  {
    calls: [
      { tool: "look", input: {} },
      { tool: "append", input: { n: 2 } },
      { tool: "append", input: { n: 3 } },
    ],
  },
  { calls: [{ tool: "odd", input: {} }] },
  { text: "Done." },
];

/** Where the n-th write of the session kills its process: before it is stored, or after. */
interface Death {
  readonly write: number;
  readonly when: "before" | "after";
}

function setUp() {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const effects: string[] = [];
  const seen = new Map<string, number>();
  const tool = (name: string, more: Partial<SkillTool>): SkillTool => ({
    ...{ name, description: name, inputSchema: { type: "object" }, parallel: false, ...more },
    execute: async (input, { key }: ToolContext) => {
      const { n } = input as { n?: number };
      if (!more.repeatable || key === undefined || !seen.has(key))
        effects.push(n === undefined ? name : String(n));
      if (key !== undefined) seen.set(key, (seen.get(key) ?? 0) + 1);
      return { output: { done: n ?? name }, isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
    },
  });
  const tools = [tool("append", { repeatable: true }), tool("look", { parallel: true }), tool("odd", {})];
  const agent = (death?: Death) =>
    testAgent({
      tools,
      records: death ? dying(records, death) : records,
      config: { session },
      withoutSkills: true,
      model: scriptedModel(
        (_, { prompt }) => SCRIPT[prompt.filter(({ role }) => role === "assistant").length] ?? {},
      ).model,
    });
  return { records, sessions, effects, agent };
}

/** Tools that replace one file or append to it. Each changes the file once for a key, and returns what the file contains. */
function filesOfTools() {
  const seen = new Set<string | undefined>();
  let list: readonly string[] = [];
  const tool = (name: string, change: (key: string | undefined) => void): SkillTool => ({
    ...{ name, description: name, inputSchema: { type: "object" }, parallel: false, repeatable: true },
    execute: async (_, { key }) => {
      change(key);
      return {
        ...{ output: { list: list.join() }, isError: false },
        ...{ stateDelta: {}, artifacts: [], diagnostics: [] },
      };
    },
  });
  const tools = [
    tool("replace", () => {
      list = ["first"];
    }),
    tool("append", (key) => {
      if (!seen.has(key)) list = [...list, "second"];
      seen.add(key);
    }),
    tool("replace_other", () => undefined),
  ];
  return { tools, list: () => list };
}

const isAnswer = ({ role }: { readonly role: string }) => role === "assistant";
const isResult = (message: unknown) => (message as { readonly role?: string }).role === "tool";

/** @param death.write Counts the changes of the session. */
function dying(records: RecordStore, { write, when }: Death): RecordStore {
  let writes = 0;
  return delegate(records, {
    write: async (key, change, options) => {
      const isLast = key[0] === "session" && ++writes === write;
      if (writes > write || (isLast && when === "before")) throw new Error("killed");
      const stored = await records.write(key, change, options);
      if (isLast) throw new Error("killed");
      return stored;
    },
  });
}

const roles = async (sessions: Sessions) =>
  ((await sessions.get(session))?.history ?? []).map((message) => (message as { role?: string }).role);

const WHOLE = ["user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "assistant"];

describe("a durable turn", () => {
  test("DURA-01: is one turn like any other where nothing happens to its process", async () => {
    const { sessions, effects, agent } = setUp();
    const result = await (await agent()).chat("go", { turn });
    expect(result).toMatchObject({ text: "Done.", finish: "answered", steps: 4 });
    expect(await roles(sessions)).toEqual(WHOLE);
    expect(effects.filter((name) => name !== "look")).toEqual(["1", "2", "3", "odd"]);
    expect(await (await agent()).resume({ turn })).toMatchObject({
      text: "Done.",
      finish: "answered",
      steps: 4,
    });
    expect(await (await agent()).resume({ turn: { id: "other" } })).toBeUndefined();
  });

  for (const when of ["before", "after"] as const)
    for (let write = 1; write <= 9; write++)
      test(`DURA-02: goes on at its step where its process died ${when} its write ${write}, and does nothing twice`, async () => {
        const { sessions, effects, agent } = setUp();
        const death = { write, when };
        await expect((await agent(death)).chat("go", { turn })).rejects.toThrow("killed");
        const next = await agent();
        const result = (await next.resume({ turn })) ?? (await next.chat("go", { turn }));
        expect(result).toMatchObject({ text: "Done.", finish: "answered", steps: 4 });
        expect(await roles(sessions)).toEqual(WHOLE);
        const done = effects.filter((name) => name !== "look");
        // A tool that is not repeatable is not called again once its call may have begun.
        const isOddLost = done.length === 3;
        expect(done).toEqual(isOddLost ? ["1", "2", "3"] : ["1", "2", "3", "odd"]);
        if (isOddLost) expect(death).toEqual({ write: 7, when: "after" });
        const { state } = (await sessions.get(session)) ?? {};
        expect(Object.keys(state ?? {}).filter((key) => key.includes("waiting"))).toEqual([]);
      });

  for (const when of ["before", "after"] as const)
    for (let write = 1; write <= 5; write++)
      test(`DURA-05: does not undo what later calls of a step did to a file, if its process died ${when} its write ${write}`, async () => {
        const records = memoryRecords();
        const sessions = recordSessions(records);
        const files = filesOfTools();
        const steps: readonly ScriptedStep[] = [
          {
            calls: [
              { tool: "replace", input: {} },
              { tool: "append", input: {} },
              { tool: "replace_other", input: {} },
            ],
          },
          { text: "Done." },
        ];
        const agent = (dies: boolean) =>
          testAgent({
            ...{ tools: files.tools, config: { session }, withoutSkills: true },
            records: dies ? dying(records, { write, when }) : records,
            model: scriptedModel((_, { prompt }) => steps[prompt.filter(isAnswer).length] ?? {}).model,
          });
        await expect((await agent(true)).chat("go", { turn })).rejects.toThrow("killed");
        const next = await agent(false);
        await ((await next.resume({ turn })) ?? next.chat("go", { turn }));
        expect(files.list()).toEqual(["first", "second"]);
        const told = (await sessions.get(session))?.history.filter(isResult) ?? [];
        expect(JSON.stringify(told)).toMatch(/"list":"first".*"list":"first,second".*"list":"first,second"/);
      });

  test("DURA-03: a failed call of the model ends the turn; it is not repeated, and the history keeps the question", async () => {
    const { records, sessions, agent } = setUp();
    const failing = await testAgent({
      ...{ records, config: { session }, withoutSkills: true },
      model: scriptedModel([{ error: new Error("no model") }]).model,
    });
    await expect(failing.chat("go", { turn })).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect(await roles(sessions)).toEqual(["user", "assistant"]);
    const next = await agent();
    await expect(next.resume({ turn })).rejects.toMatchObject({
      ...{ code: "BACKEND_FAILED", message: expect.stringContaining("no model") },
    });
    expect(await next.chat("go")).toMatchObject({ text: "Done." });
    expect((await roles(sessions)).slice(0, 3)).toEqual(["user", "assistant", "user"]);
  });

  test("DURA-04: waits for `beforeStored` before each write", async () => {
    const { records, agent } = setUp();
    let stored = 0;
    let waited = 0;
    const counting = delegate(records, {
      write: async (...given) => {
        if (given[0][0] === "session") stored++;
        expect(waited).toBe(stored);
        return await records.write(...given);
      },
    });
    const told = await testAgent({
      ...{ records: counting, config: { session }, withoutSkills: true },
      model: scriptedModel([{ text: "Hello." }]).model,
    });
    await told.chat("go", { turn: { id: "t2", beforeStored: async () => void waited++ } });
    expect(stored).toBe(1);
    await agent();
  });

  test("DURA-06: a turn whose process died before its first answer is begun again by `chat`, which reports it", async () => {
    const { records, sessions, agent } = setUp();
    const dies = await testAgent({
      ...{ records: dying(records, { write: 1, when: "before" }), config: { session }, withoutSkills: true },
      model: scriptedModel([{ text: "Lost." }]).model,
    });
    await expect(dies.chat("go", { turn })).rejects.toThrow("killed");
    const next = await agent();
    expect(await next.resume({ turn })).toBeUndefined();
    const { diagnostics } = await next.chat("go", { turn: { ...turn, isRetry: true } });
    expect(diagnostics).toMatchObject([{ code: "turn.taken-over" }]);
    expect(await roles(sessions)).toEqual(WHOLE);
  });
});
