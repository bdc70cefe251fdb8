import { delegate } from "@skillwright/core/adapter";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const LIST = { tool: "workspace_list", input: {} };
const STOPPED = "(This answer was stopped here.)";
const FAILED = "(This answer ended here because of an error.)";
const session = { app: "test", user: "local", session: "unfinished" };

describe.each([
  ["a turn of its own", undefined],
  ["a turn that another process can go on with", { id: "t1" }],
])("AGENT-21: after an unfinished turn the model sees what the person sees, %s", (_, turn) => {
  test("if the model fails at once", async () => {
    const { agent, prompt } = await scriptedAgent([{ error: new Error("overloaded") }]);
    await expect(agent.chat("What is the sum?", { turn })).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    await agent.chat("Please continue.");
    expect(prompt()).toEqual(["user: What is the sum?", `assistant: ${FAILED}`, "user: Please continue."]);
  });

  test("if the model fails in its second step", async () => {
    const { agent, prompt } = await scriptedAgent([
      { text: "I look.", calls: [LIST] },
      { error: new Error("overloaded") },
    ]);
    await expect(agent.chat("What is the sum?", { turn })).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    await agent.chat("Please continue.");
    expect(prompt()).toEqual([
      ...["user: What is the sum?", "assistant: I look.", "tool: ", `assistant: ${FAILED}`],
      "user: Please continue.",
    ]);
  });

  test("if the turn is stopped during the first answer", async () => {
    const stop = new AbortController();
    const { agent, prompt } = await scriptedAgent([{ text: "The total is 42" }]);
    let seen = "";
    const onEvent = (event: AgentEvent) => {
      if (event.type !== "text") return;
      seen += event.text;
      stop.abort();
    };
    const { finish } = await agent.chat("What is the sum?", { turn, signal: stop.signal, onEvent });
    expect(finish).toBe("aborted");
    await agent.chat("Please continue.");
    expect(prompt()).toEqual([
      ...["user: What is the sum?", `assistant: ${seen}\n\n${STOPPED}`, "user: Please continue."],
    ]);
  });

  test("if the turn is stopped before the first step", async () => {
    const { agent, prompt } = await scriptedAgent([]);
    await agent.chat("What is the sum?", { turn, signal: AbortSignal.abort() }).catch(() => undefined);
    await agent.chat("Please continue.");
    expect(prompt()).toEqual(["user: What is the sum?", `assistant: ${STOPPED}`, "user: Please continue."]);
  });

  test("if a source of skills fails at the start", async () => {
    let isDown = false;
    const repository = delegate(memoryRepository({ skills: { shout: SHOUT } }), {
      load: async () => {
        if (isDown) throw new Error("down");
        return await memoryRepository({ skills: { shout: SHOUT } }).load("shout");
      },
    });
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model, repository });
    isDown = true;
    await expect(agent.chat("/shout hello", { turn })).rejects.toThrow(/down/);
    isDown = false;
    await agent.chat("Please continue.");
    expect(linesOf(prompts)).toEqual([
      "user: /shout hello",
      `assistant: ${FAILED}`,
      "user: Please continue.",
    ]);
  });
});

test("AGENT-21: the profile's text is still added after a turn that was stopped at once", async () => {
  const records = memoryRecords();
  const { model, prompts } = scriptedModel([{ text: "ok" }]);
  const profile = { read: async () => ({ text: "The profile.", diagnostics: [] }) };
  const agent = await testAgent({ model, records, profile, config: { session } });
  await agent.chat("first", { signal: AbortSignal.abort() }).catch(() => undefined);
  await agent.chat("second");
  expect(linesOf(prompts)).toEqual([
    "system: The profile.",
    "user: first",
    `assistant: ${STOPPED}`,
    "user: second",
  ]);
});

async function scriptedAgent(steps: readonly ScriptedStep[]) {
  const { model, prompts } = scriptedModel((step) => steps[step - 1] ?? { text: "ok" });
  const agent = await testAgent({ model, skills: { shout: SHOUT } });
  return { agent, prompt: () => linesOf(prompts) };
}

/** The last request without the system prompt, one line a message. */
function linesOf(prompts: ReturnType<typeof scriptedModel>["prompts"]): readonly string[] {
  return (prompts.at(-1) ?? []).slice(1).map(({ role, content }) => {
    const text =
      typeof content === "string"
        ? content
        : content.map((part) => ("text" in part ? part.text : "")).join("");
    return `${role}: ${text}`;
  });
}
