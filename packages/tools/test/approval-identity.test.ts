import type { ApprovalRequest } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { aiSdkTools } from "@skillwright/tools/ai-sdk";
import { anthropicTools } from "@skillwright/tools/anthropic";
import { type LangChainCall, langChainTools } from "@skillwright/tools/langchain";
import { openAiTools } from "@skillwright/tools/openai";
import { describe, expect, test } from "vitest";
import { callContext, session, skillFile } from "./example-skills.js";
import { recordingWorkspaces } from "./recording-workspaces.js";

const input = { skill: "foreign", command: "ls" };

describe("an approval request names the conversation and the call", () => {
  test("with the AI SDK", async () => {
    const { tools, options, asked } = setUp();
    await aiSdkTools(tools, options)["skill_run"]?.execute(input, { toolCallId: "call_7" });
    expect(asked).toMatchObject([{ session, callId: "call_7" }]);
  });

  test("with Anthropic", async () => {
    const { tools, options, asked } = setUp();
    await anthropicTools(tools, options).answer([
      { type: "tool_use", id: "call_7", name: "skill_run", input },
    ]);
    expect(asked).toMatchObject([{ session, callId: "call_7" }]);
  });

  test("with OpenAI", async () => {
    const { tools, options, asked } = setUp();
    const call = { name: "skill_run", arguments: JSON.stringify(input) };
    await openAiTools(tools, options).answerChat({
      tool_calls: [{ type: "function", id: "call_7", function: call }],
    });
    expect(asked).toMatchObject([{ session, callId: "call_7" }]);
  });

  test("with LangChain", async () => {
    const { tools, options, asked } = setUp();
    const calls = new Map<string, LangChainCall>();
    langChainTools(tools, { ...options, make: (run, { name }) => void calls.set(name, run) });
    await calls.get("skill_run")?.(input, { toolCall: { id: "call_7" } });
    expect(asked).toMatchObject([{ session, callId: "call_7" }]);
  });

  test("an approval names no call if the id is unknown", async () => {
    const { tools, asked } = setUp();
    await tools.find(({ name }) => name === "skill_run")?.execute(input, callContext());
    expect(asked).toMatchObject([{ session }]);
    expect(asked[0]).not.toHaveProperty("callId");
  });
});

function setUp() {
  const repository = memoryRepository({ skills: { foreign: { "SKILL.md": skillFile("foreign") } } });
  const skills = skillBox({ project: { repository, trusted: false } });
  const asked: ApprovalRequest[] = [];
  const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) > 0 });
  const { workspaces } = recordingWorkspaces();
  return {
    tools: skillTools({ skills, workspaces, approval }),
    options: { context: () => callContext() },
    asked,
  };
}
