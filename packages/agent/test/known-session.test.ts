import type { SkillTool } from "@skillwright/core";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "known" };

/** An agent whose tool changes the session, as another program does. */
async function setUp(steps: Parameters<typeof scriptedModel>[0]) {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  let calls = 0;
  const change = async () => {
    const from = (await sessions.get(session))?.revision ?? 0;
    await sessions.update(session, { from, append: [{ role: "user", content: "from elsewhere" }] });
  };
  const tool: SkillTool = {
    ...{ name: "change", description: "Changes.", inputSchema: { type: "object" }, parallel: false },
    execute: async () => {
      calls++;
      await change();
      return { output: {}, isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
    },
  };
  const { model, prompts } = scriptedModel(steps);
  const agent = await testAgent({
    ...{ records, model, tools: [tool], withoutSkills: true, config: { session } },
  });
  return { agent, change, calls: () => calls, prompts };
}

test("a turn whose session was changed before its first step was stored begins again", async () => {
  const { agent, change, prompts } = await setUp([{ text: "One." }, { text: "Two." }]);
  await change();
  const result = await agent.chat("a", { turn: { id: "one", session: "new" } });
  expect(result).toMatchObject({ text: "Two.", diagnostics: [{ code: "turn.begun-again" }] });
  expect(prompts.map((prompt) => JSON.stringify(prompt).includes("from elsewhere"))).toEqual([false, true]);
});

test("a turn whose session was changed after a step was stored fails, and makes no call again", async () => {
  const { agent, calls, prompts } = await setUp([
    { calls: [{ tool: "change", input: {} }] },
    { text: "Two." },
  ]);
  const turn = agent.chat("a", { turn: { id: "one", session: "new" } });
  await expect(turn).rejects.toMatchObject({ code: "CONFLICT" });
  expect([calls(), prompts.length]).toEqual([1, 1]);
});
