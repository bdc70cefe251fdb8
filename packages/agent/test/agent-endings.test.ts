import { SkillError } from "@skillwright/core";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s1" };

describe("how a turn ends", () => {
  test("at the step limit it says so, keeps its results, and the history stays complete", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const { model } = scriptedModel((step) => ({ calls: [{ tool: "skill_list", input: { offset: step } }] }));
    const agent = await testAgent({
      model,
      skills: { shout: SHOUT },
      records,
      config: { session, maxSteps: 3 },
    });
    const result = await agent.chat("go on for ever");
    expect(result).toMatchObject({ finish: "step-limit", steps: 3 });
    expect(result.text).toMatch(/stopped after 3 steps/);
    const roles = (await sessions.get(session))?.history.map((message) => (message as { role: string }).role);
    expect(roles).toEqual(["user", ...Array(3).fill(["assistant", "tool"]).flat(), "assistant"]);
  });

  test("the same refused call for the third time ends the turn", async () => {
    const { model } = scriptedModel([{ calls: [{ tool: "skill_load", input: { skill: "nope" } }] }]);
    const agent = await testAgent({ model, skills: { shout: SHOUT } });
    const result = await agent.chat("load it");
    expect(result).toMatchObject({ finish: "repeated-failure", steps: 3 });
    const response = result.events.find((event) => event.type === "tool.response");
    expect(JSON.stringify(response)).toMatch(/There is no skill[\s\S]*shout/);
  });

  test("an answer cut by the model's limit is reported as such", async () => {
    const { model } = scriptedModel([{ text: "and then", cut: true }]);
    const result = await (await testAgent({ model })).chat("tell me all");
    expect(result).toMatchObject({ text: "and then", finish: "answered" });
    expect(result.diagnostics).toEqual([expect.objectContaining({ code: "model.answer-cut" })]);
  });

  test("skills that do not fit into the overview are reported once", async () => {
    const skills = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `s${index}`,
        { "SKILL.md": `---\nname: s${index}\ndescription: Does ${index}.\n---\n` },
      ]),
    );
    const { model } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model, skills });
    const first = await agent.chat("one");
    expect(first.events).toContainEqual({
      type: "notice",
      diagnostic: expect.objectContaining({ code: "overview.cut" }),
    });
    expect((await agent.chat("two")).diagnostics).toEqual([]);
  });

  test("an abort while the model writes ends with the text so far, which stays in the history", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const controller = new AbortController();
    const { model } = scriptedModel([{ text: "one two three four" }]);
    const agent = await testAgent({ model, records, config: { session } });
    let seen = "";
    const onEvent = (event: AgentEvent) => {
      if (event.type !== "text") return;
      seen += event.text;
      controller.abort();
    };
    const result = await agent.chat("count", { signal: controller.signal, onEvent });
    expect(result).toMatchObject({ finish: "aborted", text: seen });
    expect((await sessions.get(session))?.history).toEqual([
      { role: "user", content: "count" },
      { role: "assistant", content: `${seen}\n\n(This answer was stopped here.)` },
    ]);
    expect((await agent.chat("again")).finish).toBe("answered");
  });

  test("an abort while a command runs ends the command and keeps the step", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const controller = new AbortController();
    const { model } = scriptedModel([
      { calls: [{ tool: "skill_run", input: { skill: "shout", command: "echo begun; sleep 60" } }] },
    ]);
    const agent = await testAgent({ model, skills: { shout: SHOUT }, records, config: { session } });
    const result = await agent.chat("sleep", {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "tool.progress" && event.event.type === "run.output") controller.abort();
      },
    });
    expect(result.finish).toBe("aborted");
    const roles = (await sessions.get(session))?.history.map((message) => Object(message).role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("closing ends a running command and waits for it", async () => {
    const { model } = scriptedModel([
      { calls: [{ tool: "skill_run", input: { skill: "shout", command: "echo begun; sleep 60" } }] },
    ]);
    const agent = await testAgent({ model, skills: { shout: SHOUT } });
    let closed: Promise<void> | undefined;
    const result = await agent.chat("sleep", {
      onEvent: (event) => {
        if (event.type === "tool.progress" && event.event.type === "run.output") closed = agent.close();
      },
    });
    expect(result.finish).toBe("aborted");
    await expect(closed).resolves.toBeUndefined();
  });

  test("a failing model is an error with the remedy, and the message can be sent again", async () => {
    const { model } = scriptedModel((step) =>
      step === 1 ? { error: new Error("socket closed") } : { text: "ok" },
    );
    const agent = await testAgent({ model });
    const error = await agent.chat("hello").catch((reason: unknown) => reason);
    expect(SkillError.is(error, "BACKEND_FAILED")).toBe(true);
    expect(String(error)).toMatch(/socket closed.*Try again/);
    expect(await agent.chat("hello")).toMatchObject({ text: "ok" });
  });

  test("a turn that another process took meanwhile is a conflict", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const { model } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model, records, config: { session } });
    const chatting = agent.chat("hello", {
      onEvent: (event) => {
        if (event.type === "turn.started") void sessions.update(session, { from: 0, append: ["other"] });
      },
    });
    await expect(chatting).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("turns of one agent are serial; after close nothing continues", async () => {
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model });
    await Promise.all([agent.chat("one"), agent.chat("two"), agent.chat("three")]);
    expect(prompts.map((prompt) => prompt.length)).toEqual([2, 4, 6]);
    await agent.close();
    await agent.close();
    await expect(agent.chat("four")).rejects.toMatchObject({ code: "CLOSED" });
  });
});
