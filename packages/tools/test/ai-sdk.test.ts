import { applyStateDeltas, type SessionState, type SkillTool, type ToolResult } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { aiSdkTools } from "@skillwright/tools/ai-sdk";
import { generateText, isStepCount, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { exampleCatalog, session } from "./example-skills.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";

/** A complete loop of the AI SDK over the scripted steps. */
async function loop(tools: readonly SkillTool[], ...steps: ScriptedStep[]) {
  const model = scriptedModel(...steps);
  const heard: { name: string; id: string; result: ToolResult; order: number }[] = [];
  const set: ToolSet = aiSdkTools(tools, {
    context: () => ({ session, state: {} }),
    onResult: ({ toolName: name, toolCallId: id, order }, result) => heard.push({ name, id, result, order }),
  });
  const { text, steps: done } = await generateText({
    model,
    tools: set,
    prompt: "Go",
    stopWhen: isStepCount(5),
  });
  const prompts = model.doGenerateCalls.map(({ prompt }) => prompt);
  return { text, done, heard, prompts, model };
}

/** The tool results in the last prompt, as the model sees them. */
function toolOutputs(prompts: Awaited<ReturnType<typeof loop>>["prompts"]) {
  return (prompts.at(-1) ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
}

const tools = skillTools({ skills: exampleCatalog() });

describe("aiSdkTools with ai 7", () => {
  test("a loop loads a skill, and the model sees its body as plain text", async () => {
    const { text, prompts, heard } = await loop(
      tools,
      [{ tool: "skill_load", input: { skill: "counter" } }],
      "Loaded.",
    );
    expect(text).toBe("Loaded.");
    expect(toolOutputs(prompts)).toEqual([
      {
        type: "text",
        value: '<loaded_skill name="counter" source="own">\nInstructions of counter.\n</loaded_skill>',
      },
    ]);
    expect(heard).toMatchObject([{ name: "skill_load", id: "call-0-0", order: 0 }]);
    expect(heard[0]?.result.stateDelta).toEqual({ "temp:skill:loaded:counter": "1" });
  });

  test("the model gets each tool's own schema and description", async () => {
    const { model } = await loop(tools, "Nothing to do.");
    const given = model.doGenerateCalls[0]?.tools ?? [];
    expect(given).toEqual(
      tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        name,
        description,
        inputSchema: { ...inputSchema },
      })),
    );
  });

  test("the SDK's changes to a schema do not affect the tool", () => {
    const set = aiSdkTools(tools, { context: () => ({ session, state: {} }) });
    const given = set["skill_load"]?.inputSchema["~standard"].jsonSchema.input();
    if (given) given["properties"] = {};
    const own = tools.find(({ name }) => name === "skill_load")?.inputSchema;
    expect(Object.keys(own?.["properties"] ?? {})).toEqual(["skill", "docs", "include_all_docs"]);
    expect(set["skill_load"]?.inputSchema["~standard"].jsonSchema.input()).toEqual(own);
  });

  test("wrong fields become an error that the model can read, and the loop continues", async () => {
    const { text, prompts, heard } = await loop(
      tools,
      [{ tool: "skill_load", input: { name: "counter" } }],
      [{ tool: "skill_load", input: { skill: "counter" } }],
      "Then right.",
    );
    expect(text).toBe("Then right.");
    expect(toolOutputs(prompts)).toMatchObject([
      { type: "error-json", value: { error: { code: "INPUT_INVALID", retry: true } } },
      { type: "text" },
    ]);
    expect(heard.map(({ result }) => result.isError)).toEqual([true, false]);
  });

  test("other results are JSON", async () => {
    const { prompts } = await loop(tools, [{ tool: "skill_list_docs", input: { skill: "greeter" } }], "Ok.");
    expect(toolOutputs(prompts)).toEqual([
      { type: "json", value: ["USAGE.md", "docs/Guide.MD", "notes.TXT"] },
    ]);
  });

  test("deltas are merged in the order of the calls, whichever call ends first", async () => {
    const ended: string[] = [];
    const slow = turns("slow", true, 2, ended, { winner: "slow", slow: true });
    const quick = turns("quick", true, 0, ended, { winner: "quick" });
    const { heard } = await loop(
      [slow, quick],
      [
        { tool: "slow", input: {} },
        { tool: "quick", input: {} },
      ],
    );
    expect(ended).toEqual(["quick", "slow"]);
    const deltas = heard.sort((a, b) => a.order - b.order).map(({ result }) => result.stateDelta);
    expect(applyStateDeltas({} satisfies SessionState, deltas)).toEqual({ winner: "quick", slow: true });
  });

  test("tools that change something run one after the other, in the order of the calls", async () => {
    const ended: string[] = [];
    const first = turns("first", false, 3, ended, {});
    const second = turns("second", false, 0, ended, {});
    await loop(
      [first, second],
      [
        { tool: "first", input: {} },
        { tool: "second", input: {} },
      ],
    );
    expect(ended).toEqual(["first", "second"]);
  });

  test("the SDK's abort signal reaches the tool", async () => {
    const controller = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const tool: SkillTool = {
      ...turns("watcher", true, 0, [], {}),
      execute: async (_input, { signal }) => {
        seen.push(signal);
        return { output: "ok", isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
      },
    };
    const set = aiSdkTools([tool], { context: () => ({ session, state: {} }) });
    await set["watcher"]?.execute({}, { toolCallId: "c", abortSignal: controller.signal });
    expect(seen).toEqual([controller.signal]);
  });
});

/** A tool that ends after that many turns of the event loop, and records that it did. */
function turns(
  name: string,
  parallel: boolean,
  count: number,
  ended: string[],
  stateDelta: ToolResult["stateDelta"],
): SkillTool {
  return {
    name,
    description: name,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    parallel,
    async execute() {
      for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
      ended.push(name);
      return { output: name, isError: false, stateDelta, artifacts: [], diagnostics: [] };
    },
  };
}
