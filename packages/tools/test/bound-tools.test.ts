import type { SkillTool } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, skillFile } from "./example-skills.js";

const loaded = (...names: string[]) =>
  callContext({ state: Object.fromEntries(names.map((name) => [`temp:skill:loaded:${name}`, "1"])) });

function tool(name: string): SkillTool {
  return {
    ...{ name, description: name, inputSchema: { type: "object" }, parallel: true },
    execute: async () => ({
      ...{ output: "x".repeat(70_000), isError: false, stateDelta: {}, artifacts: [], diagnostics: [] },
    }),
  };
}

function unlockedBy(boundTools: Readonly<Record<string, readonly SkillTool[]>>, trusted = true) {
  const names = ["mail", "calendar", "constructor"];
  const repository = memoryRepository({
    skills: Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillFile(name) }])),
  });
  const toolset = skillToolset({ skills: skillBox({ own: { repository, trusted } }), boundTools });
  return async (...skills: string[]) => {
    const tools = await toolset.unlockedTools(loaded(...skills));
    return tools.map(({ name }) => name);
  };
}

describe("tools of the application that are bound to a skill", () => {
  const bound = { mail: [tool("send"), tool("find")], calendar: [tool("find"), tool("book")] };

  test("appear while the skill is loaded, each name once (TOOL-22)", async () => {
    const unlocked = unlockedBy(bound);
    expect(await unlocked()).toEqual([]);
    expect(await unlocked("mail")).toEqual(["send", "find"]);
    expect(await unlocked("mail", "calendar")).toEqual(["find", "book", "send"]);
  });

  test("do not appear for a skill of an untrusted source, nor for one that is gone (TOOL-22)", async () => {
    expect(await unlockedBy(bound, false)("mail")).toEqual([]);
    expect(await unlockedBy({ gone: [tool("send")] })("gone", "constructor")).toEqual([]);
  });

  test("have the same budget for results as the skill tools (TOOL-22)", async () => {
    const skills = skillBox({
      own: memoryRepository({ skills: { mail: { "SKILL.md": skillFile("mail") } } }),
    });
    const toolset = skillToolset({ skills, boundTools: { mail: [tool("send")] }, maxResultCharacters: 5000 });
    const [send] = await toolset.unlockedTools(loaded("mail"));
    const result = await send?.execute({}, loaded("mail"));
    expect(JSON.stringify(result?.output).length).toBeLessThanOrEqual(5000);
  });
});
