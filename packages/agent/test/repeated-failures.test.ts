import { expect, test } from "vitest";
import type { ChatResult } from "../src/agent/agent.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const wrong = { calls: [{ tool: "skill_load", input: { skill: "nope" } }] };

test("the third refusal of one call says that it is no longer executed and what is valid, and ends the turn", async () => {
  const agent = await agentThat([wrong]);
  const result = await agent.chat("load it");
  expect(result).toMatchObject({ finish: "repeated-failure", steps: 3 });
  expect(refusals(result).map(({ retry }) => retry)).toEqual([true, true, false]);
  expect(refusals(result).at(-1)?.message).toMatch(/failed 3 times in the same way[\s\S]*"shout"/);
  expect(result.diagnostics).toContainEqual(expect.objectContaining({ code: "call.repeated" }));
});

test.each([
  ["a tool that is not there", { tool: "skill_fly", input: {} }, /"skill_fly"[\s\S]*skill_load/],
  ["no valid JSON", { tool: "skill_load", input: "{" }, /no valid JSON/],
])("so does a call that no tool accepts: %s", async (_, call, expected) => {
  const agent = await agentThat([{ calls: [call] }]);
  const result = await agent.chat("go");
  expect(result).toMatchObject({ finish: "repeated-failure", steps: 3 });
  expect(refusals(result).at(-1)).toMatchObject({ retry: false, message: expect.stringMatching(expected) });
});

test("a call that changed something allows it to be tried again", async () => {
  const write = { calls: [{ tool: "workspace_write", input: { path: "work/a.txt", content: "a" } }] };
  const agent = await agentThat([wrong, wrong, write, wrong, { text: "There is none." }]);
  const result = await agent.chat("load it");
  expect(result).toMatchObject({ finish: "answered", text: "There is none." });
});

test("another turn starts counting anew: a person may have fixed the problem", async () => {
  const agent = await agentThat([wrong, wrong, wrong, wrong, { text: "Still none." }]);
  expect(await agent.chat("load it")).toMatchObject({ finish: "repeated-failure" });
  const again = await agent.chat("try again");
  expect(again).toMatchObject({ finish: "answered", text: "Still none." });
  expect(refusals(again).map(({ retry }) => retry)).toEqual([true]);
});

function agentThat(steps: readonly ScriptedStep[]) {
  return testAgent({ model: scriptedModel(steps).model, skills: { shout: SHOUT } });
}

function refusals({ events }: ChatResult): readonly { readonly message: string; readonly retry: boolean }[] {
  return events.flatMap((event) =>
    event.type === "tool.response" && event.isError
      ? [(event.output as { error: { message: string; retry: boolean } }).error]
      : [],
  );
}
