import type { SkillTool } from "@skillwright/core";
import { recordSessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s" };

describe("$skill in a message", () => {
  test("loads the skill for the turn, before the model is asked (CMD-05)", async () => {
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model, skills: { shout: SHOUT } });
    await agent.chat("Please $shout this, for $5");
    const said = JSON.stringify(prompts[0]?.at(-1));
    expect(said).toMatch(
      /Please \$shout this, for \$5[\s\S]*<loaded_skill name=\\"shout\\">[\s\S]*sh shout.sh/,
    );
  });

  test("is in the system prompt where bodies are placed there (CMD-05)", async () => {
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({
      model,
      skills: { shout: SHOUT },
      config: { loads: { bodies: "system" } },
    });
    await agent.chat("Please $shout this");
    expect(JSON.stringify(prompts[0]?.[0])).toContain('<loaded_skill name=\\"shout\\">');
    expect(JSON.stringify(prompts[0]?.at(-1))).not.toContain("loaded_skill");
  });

  test("works beside a command of another skill (CMD-05)", async () => {
    const hush = { "SKILL.md": "---\nname: hush\ndescription: Writes softly.\n---\nSoftly: $ARGUMENTS\n" };
    const { model, prompts } = scriptedModel([{ text: "ok" }]);
    const agent = await testAgent({ model, skills: { shout: SHOUT, hush } });
    await agent.chat("/hush the note, then $shout it");
    const said = JSON.stringify(prompts[0]?.at(-1));
    expect(said).toContain("Softly: the note, then $shout it");
    expect(said.match(/<loaded_skill name/g)).toHaveLength(2);
  });
});

describe("a skill whose command calls a tool", () => {
  const DEPLOY = {
    "SKILL.md":
      "---\nname: deploy\ndescription: Deploys.\ncommand-dispatch: tool\ncommand-tool: deployer\ncommand-arg-mode: raw\n---\nBody.\n",
  };

  function deployer(inputSchema: SkillTool["inputSchema"], inputs: unknown[]): SkillTool {
    return {
      ...{ name: "deployer", description: "Deploys.", inputSchema, parallel: false },
      execute: async (input) => {
        inputs.push(input);
        const output = { url: "http://a.example" };
        return { output, isError: false, stateDelta: { deployed: true }, artifacts: [], diagnostics: [] };
      },
    };
  }

  test("answers with the tool's result, without a model; the history holds call and answer (CMD-08)", async () => {
    const inputs: unknown[] = [];
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const { model, prompts } = scriptedModel([{ text: "asked" }]);
    const tools = [deployer({ type: "object" }, inputs)];
    const agent = await testAgent({
      model,
      skills: { deploy: DEPLOY },
      tools,
      records,
      config: { session },
    });
    const result = await agent.chat('/deploy  web "to prod" ');
    expect(inputs).toEqual([{ command: 'web "to prod"', commandName: "deploy", skillName: "deploy" }]);
    expect(result).toMatchObject({ finish: "answered", steps: 0, text: '{\n  "url": "http://a.example"\n}' });
    expect(result.events.map(({ type }) => type)).toEqual(["turn.started", "tool.call", "tool.response"]);
    expect(prompts).toEqual([]);
    const { history, state } = (await sessions.get(session)) ?? {};
    expect((history as { role: string }[]).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(state).toMatchObject({ deployed: true });
    await agent.chat("And now?");
    expect(prompts[0]?.map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "tool", "assistant", "user"],
    ]);
  });

  test("gives the tool only what its input schema declares (CMD-08)", async () => {
    const inputs: unknown[] = [];
    const tools = [deployer({ type: "object", properties: { command: { type: "string" } } }, inputs)];
    const { model } = scriptedModel([{ text: "asked" }]);
    const agent = await testAgent({ model, skills: { deploy: DEPLOY }, tools });
    await agent.chat("/deploy web");
    expect(inputs).toEqual([{ command: "web" }]);
  });

  test("goes to the model where the agent lacks the tool, which is reported (CMD-08)", async () => {
    const { model, prompts } = scriptedModel([{ text: "asked" }]);
    const agent = await testAgent({ model, skills: { deploy: DEPLOY } });
    const { text, diagnostics } = await agent.chat("/deploy web");
    expect([text, prompts.length]).toEqual(["asked", 1]);
    expect(diagnostics).toMatchObject([{ code: "command.tool-missing", severity: "warning" }]);
  });

  test("goes to the model for a skill of an untrusted source (CMD-08)", async () => {
    const inputs: unknown[] = [];
    const tools = [deployer({ type: "object" }, inputs)];
    const { model } = scriptedModel([{ text: "asked" }]);
    const agent = await testAgent({ model, skills: { deploy: DEPLOY }, tools, trusted: false });
    expect((await agent.chat("/deploy web")).text).toBe("asked");
    expect(inputs).toEqual([]);
  });
});
