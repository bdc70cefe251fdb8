import type { SkillTool, ToolResult } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { callableTools, type ToolOfCall } from "../src/loop/callable-tools.js";
import { runToolCalls } from "../src/loop/run-tool-calls.js";

const context = { session: { app: "a", user: "u", session: "s" }, state: { at: "step start" } };

describe("the tool calls of one step", () => {
  test("parallel calls run concurrently, and are answered in the order of the calls", async () => {
    const met: string[] = [];
    // Each waits for the other: run one after the other they would never end.
    const gates = { left: gate(), right: gate() };
    const tools = byName(
      tool("left", true, async () => {
        gates.left.open();
        await gates.right.opened;
        met.push("left");
        return {};
      }),
      tool("right", true, async () => {
        gates.right.open();
        await gates.left.opened;
        await new Promise((resolve) => setImmediate(resolve));
        met.push("right");
        return {};
      }),
    );
    const answered = await runToolCalls([call("right"), call("left")], tools, context, () => undefined);
    expect(answered.map(({ tool: name }) => name)).toEqual(["right", "left"]);
    expect(met.toSorted()).toEqual(["left", "right"]);
  });

  test("any other call waits for the preceding ones, and the following ones wait for it", async () => {
    const log: string[] = [];
    const slow = (name: string) => async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${name} ends`);
      return {};
    };
    const tools = byName(
      tool("read", true, slow("read")),
      tool("write", false, slow("write")),
      tool("look", true, slow("look")),
    );
    await runToolCalls(
      [call("read"), call("write"), call("write"), call("look")],
      tools,
      context,
      () => undefined,
    );
    const pairs = ["read", "write", "write", "look"].flatMap((name) => [`${name} starts`, `${name} ends`]);
    expect(log).toEqual(pairs);
  });

  test("every call sees the state from before the step, and each answer is an event with its delta", async () => {
    const seen: unknown[] = [];
    const events: AgentEvent[] = [];
    const tools = byName(
      tool("note", false, async (_, { state }) => {
        seen.push(state);
        return { stateDelta: { noted: "yes" } };
      }),
    );
    await runToolCalls([call("note"), call("note")], tools, context, (event) => events.push(event));
    expect(seen).toEqual([{ at: "step start" }, { at: "step start" }]);
    const responses = events.filter((event) => event.type === "tool.response");
    expect(responses.map(({ stateDelta }) => stateDelta)).toEqual([{ noted: "yes" }, { noted: "yes" }]);
  });

  test("an unknown tool, broken JSON and a tool that throws are refusals (TOOL-21)", async () => {
    const tools = byName(
      tool("breaks", true, async () => {
        throw new TypeError("no such thing");
      }),
    );
    const answered = await runToolCalls(
      [call("nothing"), { ...call("breaks"), problem: "Unexpected end." }, call("breaks")],
      tools,
      context,
      () => undefined,
    );
    expect(answered.map(({ result }) => [result.isError, JSON.stringify(result.output)])).toEqual([
      [true, expect.stringContaining('There is no tool \\"nothing\\". The tools are: breaks.')],
      [true, expect.stringContaining("no valid JSON: Unexpected end.")],
      [true, expect.stringContaining("no such thing")],
    ]);
  });

  test("ten concurrent calls have ten independent answers (RUN-10)", async () => {
    const tools = byName(tool("echo", true, async (input) => ({ output: input as string })));
    const calls = Array.from({ length: 10 }, (_, index) => ({
      ...call("echo"),
      id: `c${index}`,
      input: index,
    }));
    const answered = await runToolCalls(calls, tools, context, () => undefined);
    expect(answered.map(({ result }) => result.output)).toEqual(calls.map(({ input }) => input));
  });
});

function call(name: string) {
  return { id: `call-${name}`, tool: name, input: {} };
}

function tool(
  name: string,
  parallel: boolean,
  work: (input: unknown, given: { state: unknown }) => Promise<Partial<ToolResult>>,
): SkillTool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    parallel,
    execute: async (input, given) => ({
      output: name,
      isError: false,
      stateDelta: {},
      artifacts: [],
      diagnostics: [],
      ...(await work(input, given)),
    }),
  };
}

function byName(...tools: SkillTool[]): ToolOfCall {
  return callableTools()(new Map(tools.map((one) => [one.name, one])));
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
