import { type ApprovalRequest, SKILL_STATE_KEYS, type SkillTool } from "@skillwright/core";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/agent/agent-event.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s1" };

describe("a conversation", () => {
  test("enabling skills adds the tools and the guidance: load, run, answer, with the artifact", async () => {
    const { model, prompts, requests } = scriptedModel([
      { calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
      { calls: [{ tool: "skill_run", input: runInput("sh shout.sh inputs/note.txt > out/loud.txt") }] },
      { text: "It is in out/loud.txt." },
    ]);
    const agent = await testAgent({ model, skills: { shout: SHOUT } });
    const { path } = await agent.upload("note.txt", "hello\n");
    const events: AgentEvent[] = [];
    const result = await agent.chat("Make it loud", { onEvent: (event) => events.push(event) });

    expect(result).toMatchObject({ text: "It is in out/loud.txt.", finish: "answered", steps: 3 });
    expect(result.artifacts.map(({ name }) => name)).toEqual(["out/loud.txt"]);
    const names = requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(["skill_list", "skill_load", "skill_run", "workspace_read"]),
    );
    const [system, user] = prompts[0] ?? [];
    expect(system?.content).toMatch(/^You are tested\.[\s\S]*skill_load[\s\S]*<name>shout<\/name>/);
    expect(JSON.stringify(user)).toContain(`Uploaded files: ${path} (text/plain, 6 bytes)`);
    expect(JSON.stringify(prompts[2])).toContain("HELLO");
    const responses = events.filter((event) => event.type === "tool.response");
    expect(responses[0]?.stateDelta).toEqual({ [SKILL_STATE_KEYS.loaded("shout")]: "1" });
    expect(events.some((event) => event.type === "tool.progress" && event.event.type === "run.ended")).toBe(
      true,
    );
  });

  test("an approval is requested with the session and the id of the call", async () => {
    const { model } = scriptedModel([
      { calls: [{ tool: "skill_run", input: runInput("true") }] },
      { text: "It was refused." },
    ]);
    const asked: ApprovalRequest[] = [];
    const approval = async (request: ApprovalRequest) => ({ allowed: asked.push(request) < 0 });
    const agent = await testAgent({
      ...{ model, skills: { shout: SHOUT }, trusted: false, approval },
      config: { session },
    });
    const { events } = await agent.chat("Make it loud");
    const call = events.find((event) => event.type === "tool.call");
    expect(asked).toMatchObject([{ session, callId: call?.callId, skill: "shout" }]);
    expect(call?.callId).toBeTruthy();
  });

  test("the deltas of one step are merged in the order of the calls, whichever ended first", async () => {
    const order: string[] = [];
    const setter = (name: string, isDue: () => boolean): SkillTool => ({
      name,
      description: name,
      inputSchema: { type: "object" },
      parallel: true,
      execute: async () => {
        while (!isDue()) await new Promise(setImmediate);
        order.push(name);
        const stateDelta = { winner: name, [`by-${name}`]: true };
        return { output: "ok", isError: false, stateDelta, artifacts: [], diagnostics: [] };
      },
    });
    const tools = [setter("slow", () => order.at(-1) === "quick"), setter("quick", () => true)];
    const calls = [
      { tool: "quick", input: {} },
      { tool: "slow", input: {} },
    ];
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const first = scriptedModel([{ calls }, { text: "done" }]);
    await (await testAgent({ model: first.model, tools, records, config: { session } })).chat("go");
    expect((await sessions.get(session))?.state).toMatchObject({
      winner: "slow",
      "by-quick": true,
      "by-slow": true,
    });

    const second = scriptedModel([{ calls: calls.toReversed() }, { text: "done" }]);
    await (await testAgent({ model: second.model, tools, records, config: { session } })).chat("go");
    expect(order.slice(2)).toEqual(["quick", "slow"]);
    expect((await sessions.get(session))?.state).toMatchObject({ winner: "quick" });
  });

  test("keys for one turn are removed when the next begins; the system prompt stays byte for byte (PROMPT-16, PROMPT-19)", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const { model, prompts } = scriptedModel((step) =>
      step === 1 ? { calls: [{ tool: "skill_load", input: { skill: "shout" } }] } : { text: "ok" },
    );
    const agent = await testAgent({ model, skills: { shout: SHOUT }, records, config: { session } });
    await agent.chat("one");
    expect((await sessions.get(session))?.state).toHaveProperty([SKILL_STATE_KEYS.loaded("shout")]);
    for (let turn = 0; turn < 50; turn++) await agent.chat(`again ${turn}`);
    expect((await sessions.get(session))?.state).not.toHaveProperty([SKILL_STATE_KEYS.loaded("shout")]);
    const systems = new Set(prompts.map((prompt) => JSON.stringify(prompt[0])));
    expect(systems.size).toBe(1);
    for (const prompt of prompts) expect(JSON.stringify(prompt).split("<available_skills>")).toHaveLength(2);
  });

  test("two agents of one template do not see each other's skills, and the template is not changed (AGENT-06)", async () => {
    const template = Object.freeze({ systemPrompt: "Shared.", tools: Object.freeze(["workspace_read"]) });
    const hush = { "SKILL.md": "---\nname: hush\ndescription: Writes softly.\n---\n" };
    const first = scriptedModel([{ text: "a" }]);
    const second = scriptedModel([{ text: "b" }]);
    const loud = await testAgent({ ...first, template, skills: { shout: SHOUT } });
    const soft = await testAgent({ ...second, template, skills: { hush } });
    for (const agent of [loud, soft, loud, soft]) await agent.chat("hello");
    for (const { content } of first.prompts.map(([system]) => ({ content: String(system?.content) })))
      expect([content.includes("<name>shout<"), content.includes("hush")]).toEqual([true, false]);
    for (const { content } of second.prompts.map(([system]) => ({ content: String(system?.content) })))
      expect([content.includes("shout"), content.includes("<name>hush<")]).toEqual([false, true]);
    expect(template.systemPrompt).toBe("Shared.");
  });

  test("another agent continues a stored conversation, and a reset deletes it", async () => {
    const records = memoryRecords();
    const first = scriptedModel([{ text: "Your name is Ada." }]);
    await (await testAgent({ model: first.model, records, config: { session } })).chat("I am Ada");
    const second = scriptedModel([{ text: "Ada" }]);
    const agent = await testAgent({ model: second.model, records, config: { session } });
    await agent.chat("Who am I?");
    expect(second.prompts[0]?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    await agent.reset();
    await agent.chat("Who am I?");
    expect(second.prompts[1]?.map(({ role }) => role)).toEqual(["system", "user"]);
  });

  test("a model without system prompts gets the overview before the first message; the history keeps the user's message (PROMPT-20)", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const modelConfig = { provider: "test", model: "test", systemPrompt: false };
    const agent = await testAgent({
      model,
      skills: { shout: SHOUT },
      records,
      config: { session, modelConfig },
    });
    await agent.chat("hello");
    expect(prompts[0]?.map(({ role }) => role)).toEqual(["user"]);
    expect(JSON.stringify(prompts[0])).toMatch(/<name>shout<\/name>[\s\S]*hello/);
    expect((await sessions.get(session))?.history[0]).toEqual({ role: "user", content: "hello" });
  });

  test("answers without streaming are the same", async () => {
    const { model } = scriptedModel([
      { calls: [{ tool: "skill_load", input: { skill: "shout" } }] },
      { text: "loaded" },
    ]);
    const modelConfig = { provider: "test", model: "test", stream: false };
    const agent = await testAgent({ model, skills: { shout: SHOUT }, config: { modelConfig } });
    expect(await agent.chat("go")).toMatchObject({ text: "loaded", steps: 2, finish: "answered" });
  });
});

function runInput(command: string) {
  return { skill: "shout", command, outputs: { globs: ["out/**"], inline: true, save: true } };
}
