import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import type { SkillTool } from "@skillwright/core";
import { langChainTools } from "@skillwright/tools/langchain";
import { describe, expect, test } from "vitest";
import { conversation, LOADED, tools } from "./adapter-calls.js";

function setUp() {
  const { options, heard } = conversation();
  const made = langChainTools(tools, { ...options, make: (run, fields) => tool(run, fields) });
  const call = async (name: string, args: Record<string, unknown>) => {
    const found = made.find((one) => one.name === name);
    if (!found) throw new Error(`no ${name}`);
    return await found.invoke({ type: "tool_call", id: "call_0", name, args });
  };
  return { made, call, heard };
}

describe("langChainTools with @langchain/core", () => {
  test("a tool call returns a tool message with the text, and the result as its artifact", async () => {
    const { call, heard } = setUp();
    const message = await call("skill_load", { skill: "counter" });
    expect(message).toMatchObject({
      tool_call_id: "call_0",
      name: "skill_load",
      content: LOADED,
      artifact: { isError: false, stateDelta: { "temp:skill:loaded:counter": "1" } },
    });
    expect(heard).toMatchObject([{ call: { toolName: "skill_load", toolCallId: "call_0", order: 0 } }]);
  });

  test("models get each tool's own schema and description", () => {
    expect(setUp().made.map((made) => convertToOpenAITool(made))).toMatchObject(
      tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
    );
  });

  test("refusals are content that the model reads", async () => {
    const message = await setUp().call("skill_load", { skill: "nobody" });
    expect(message).toMatchObject({
      content: expect.stringContaining("SKILL_NOT_FOUND"),
      artifact: { isError: true },
    });
  });

  test("slightly wrong input is repaired by the tool, and a wrong field is refused with its message", async () => {
    const { call, heard } = setUp();
    const repaired = await call("skill_load", { skill: "counter", docs: "all.md" });
    expect(repaired).toMatchObject({ content: expect.not.stringContaining("INPUT_INVALID") });
    const refused = await call("skill_load", { skil: "counter" });
    expect(refused).toMatchObject({
      content: expect.stringMatching(/INPUT_INVALID.*skil/),
      artifact: { isError: true },
    });
    expect(heard).toHaveLength(2);
  });

  test("the signal of a call reaches the tool", async () => {
    const leaving = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const watcher: SkillTool = {
      name: "watcher",
      description: "Notes its signal.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      parallel: true,
      async execute(_input, { signal }) {
        seen.push(signal);
        return { output: "ok", isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
      },
    };
    const { options } = conversation();
    const [made] = langChainTools([watcher], { ...options, make: (run, fields) => tool(run, fields) });
    await made?.invoke({}, { signal: leaving.signal });
    leaving.abort();
    expect(seen.map((signal) => signal?.aborted)).toEqual([true]);
  });
});
