import type { SkillTool } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const doubled = {
  "SKILL.md": `---
name: doubled
description: Doubles a number.
executable:
  entry: echo $((SKILL_PARAM_N * 2))
parameters:
  n: { type: number, required: true }
returns:
  double: { type: number }
---
Body.
`,
};
const load = (skill: string): ScriptedStep => ({ calls: [{ tool: "skill_load", input: { skill } }] });

function mailer(inputs: unknown[]): SkillTool {
  return {
    ...{ name: "send_mail", description: "Sends.", inputSchema: { type: "object" }, parallel: false },
    execute: async (input) => {
      inputs.push(input);
      return { output: "sent", isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
    },
  };
}

describe("tools that depend on what is loaded", () => {
  test("a bound tool is declared and answers from the load of its skill to the end of the turn (TOOL-22)", async () => {
    const inputs: unknown[] = [];
    const send = { calls: [{ tool: "send_mail", input: { to: "ada" } }] };
    const { model, requests } = scriptedModel([send, load("shout"), send, { text: "sent" }, { text: "bye" }]);
    const agent = await testAgent({
      model,
      skills: { shout: SHOUT },
      boundTools: { shout: [mailer(inputs)] },
    });
    const { events } = await agent.chat("go");
    await agent.chat("again");
    const declared = requests.map(({ tools = [] }) => tools.some(({ name }) => name === "send_mail"));
    expect(declared).toEqual([false, false, true, true, false]);
    expect(inputs).toEqual([{ to: "ada" }]);
    const answers = events.flatMap((event) => (event.type === "tool.response" ? [event.isError] : []));
    expect(answers).toEqual([true, false, false]);
  });

  test('with calls "tools", a loaded executable skill is a tool with typed parameters (TOOL-23)', async () => {
    const call = { calls: [{ tool: "run_doubled", input: { n: 21 } }] };
    const { model, requests } = scriptedModel([load("doubled"), call, { text: "42" }]);
    const skills = { doubled };
    const agent = await testAgent({ model, skills, config: { skillTools: { calls: "tools" } } });
    const { events } = await agent.chat("double 21");
    expect(requests[1]?.tools?.map(({ name }) => name)).toContain("run_doubled");
    expect(requests[0]?.tools?.map(({ name }) => name)).not.toContain("skill_call");
    expect(JSON.stringify(events)).toMatch(/"double":42/);
  });

  test("three refusals of a bound tool end the turn, though other steps are between (TOOL-22)", async () => {
    const failing: SkillTool = {
      ...mailer([]),
      parallel: true,
      execute: async () => {
        throw new Error("no mail server");
      },
    };
    const send = { calls: [{ tool: "send_mail", input: {} }] };
    const { model } = scriptedModel([load("shout"), send]);
    const agent = await testAgent({ model, skills: { shout: SHOUT }, boundTools: { shout: [failing] } });
    expect(await agent.chat("go")).toMatchObject({ finish: "repeated-failure", steps: 4 });
  });
});
