import type { SkillTool } from "@skillwright/core";
import { expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

const LISTENERS = {
  throws: (): never => {
    throw new Error("socket closed");
  },
  rejects: async (): Promise<never> => {
    throw new Error("socket closed");
  },
};

test.each(Object.entries(LISTENERS))(
  "a listener of events that %s is reported once, and the turn goes on (AGENT-25)",
  async (_, onEvent) => {
    const { model } = scriptedModel([
      { calls: [{ tool: "workspace_list", input: {} }] },
      { text: "Nothing is there." },
    ]);
    const agent = await testAgent({ model });
    const { finish, text, diagnostics } = await agent.chat("List", { onEvent });
    expect([finish, text]).toEqual(["answered", "Nothing is there."]);
    expect(diagnostics.filter(({ code }) => code === "event.listener-failed")).toEqual([
      expect.objectContaining({ message: expect.stringContaining("socket closed") }),
    ]);
  },
);

test("a message that is not a text is refused, and nothing of it is stored (AGENT-26)", async () => {
  const { model } = scriptedModel([{ text: "Hello." }]);
  const agent = await testAgent({ model });
  for (const message of [undefined, 5, { text: "Hi" }] as unknown as string[])
    await expect(agent.chat(message)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(await agent.chat("Hi")).toMatchObject({ finish: "answered", text: "Hello." });
});

test("a tool result that has only an output is used; a result without an output, or with an output that is not JSON, is an error of that call (AGENT-27)", async () => {
  const results: unknown[] = [{ output: "12:00" }, {}, undefined, { output: { big: 1n } }];
  const clock = {
    ...{ name: "clock", description: "Tells the time.", inputSchema: { type: "object" }, parallel: false },
    execute: async () => results.shift(),
  } as unknown as SkillTool;
  const call = (n: number) => ({ calls: [{ tool: "clock", input: { n } }] });
  const { model, prompts } = scriptedModel([call(1), call(2), call(3), call(4), { text: "Done." }]);
  const agent = await testAgent({ model, tools: [clock] });
  const { finish, events } = await agent.chat("What time is it?");
  expect(finish).toBe("answered");
  const answers = events.flatMap((event) => (event.type === "tool.response" ? [event.isError] : []));
  expect(answers).toEqual([false, true, true, true]);
  expect(JSON.stringify(prompts.at(-1))).toContain("12:00");
});
