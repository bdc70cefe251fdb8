import { expect, test } from "vitest";
import { recordedSpans } from "../../../packages/core/test/recorded-spans.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const recorded = recordedSpans();

test("a turn has a span, the parent of those of its model calls and tool calls", async () => {
  const { model } = scriptedModel([
    { calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
    { text: "the-secret-answer" },
  ]);
  const agent = await testAgent({ model, skills: { shout: SHOUT } });
  recorded.reset();
  await agent.chat("the-secret-question");
  const tree = recorded.tree().filter((line) => /^(agent|tool)\./.test(line));
  expect(tree).toEqual([
    "agent.model < agent.turn",
    "tool.call < agent.turn",
    "agent.model < agent.turn",
    "agent.turn < nothing",
  ]);
  const attributes = recorded.ended().filter(([name]) => name.startsWith("agent."));
  const model_ = { streamed: true, inputTokens: 10, outputTokens: 5 };
  expect(attributes).toEqual([
    ["agent.model", { ...model_, step: 1, calls: 1 }],
    ["agent.model", { ...model_, step: 2, calls: 0 }],
    ["agent.turn", { finish: "answered", steps: 2 }],
  ]);
  expect(recorded.text()).not.toContain("secret");
});

test("a turn that ends with an error has its code", async () => {
  const { model } = scriptedModel([{ error: new Error("the-secret-failure") }]);
  const agent = await testAgent({ model, skills: { shout: SHOUT } });
  recorded.reset();
  await expect(agent.chat("hello")).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  expect(recorded.ended().at(-1)).toEqual(["agent.turn", { "error.type": "BACKEND_FAILED" }]);
  expect(recorded.text()).not.toContain("secret");
});
