import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const files = {
  "skills/shout/SKILL.md": SHOUT["SKILL.md"],
  "skills/shout/shout.sh": SHOUT["shout.sh"],
  "skills/hush/SKILL.md": "---\nname: hush\ndescription: Writes softly.\n---\nBe quiet.",
  "commands/write.md": "---\ndescription: Writes.\n---\nWrite a chapter about $ARGUMENTS.",
  "commands/plain.md": "Do the plain thing.",
};

describe("a skills package from a local folder", () => {
  test("adds its skills automatically; an enabled one that is missing is a warning, the others load (AGENT-07)", async () => {
    const { agent } = await packageAgent({ enabledSkills: ["shout", "gone"] });
    expect((await agent.skills()).skills.map(({ name }) => name)).toEqual(["shout"]);
    expect(agent.diagnostics).toEqual([expect.objectContaining({ code: "config.unknown-skill" })]);
  });

  test("a skill that is not enabled cannot be loaded or run", async () => {
    const calls = [{ tool: "skill_load", input: { skill: "hush" } }];
    const { agent } = await packageAgent({ enabledSkills: ["shout"] }, [{ calls }, { text: "ok" }]);
    const { events } = await agent.chat("hush");
    const response = events.find((event) => event.type === "tool.response");
    expect(response).toMatchObject({ isError: true, output: { error: { code: "SKILL_NOT_FOUND" } } });
  });

  test("an empty list enables nothing, no list enables all", async () => {
    expect((await (await packageAgent({ enabledSkills: [] })).agent.skills()).skills).toEqual([]);
    const all = await (await packageAgent({})).agent.skills();
    expect(all.skills.map(({ name }) => name)).toEqual(["hush", "shout"]);
  });

  test("its commands expand to messages, only the enabled ones", async () => {
    const { agent, prompts } = await packageAgent({ enabledCommands: ["write", "gone"] });
    expect(agent.diagnostics).toEqual([expect.objectContaining({ code: "config.unknown-command" })]);
    await agent.chat("/write the $& sea");
    await agent.chat("/plain");
    const said = prompts.map((prompt) => JSON.stringify(prompt.at(-1)?.content));
    expect(said[0]).toContain("Write a chapter about the $& sea.");
    expect(said[1]).toContain("/plain");
  });

  test("a version is reported to have no effect; a missing folder names the field", async () => {
    expect((await packageAgent({ version: "2" })).agent.diagnostics).toEqual([
      expect.objectContaining({ code: "config.version-without-effect" }),
    ]);
    await expect(packageAgent({ skillsDir: "elsewhere" })).rejects.toThrow(
      /skillsPackage\.path[\s\S]*elsewhere/,
    );
  });

  test("a skill that is added or removed between turns is reported in that turn's message, the system prompt stays", async () => {
    const { agent, prompts, folder } = await packageAgent({});
    await agent.chat("one");
    await put(folder, "skills/new-one/SKILL.md", "---\nname: new-one\ndescription: Fresh.\n---\nHi.");
    await rm(join(folder, "skills/hush"), { recursive: true });
    await agent.chat("two");
    await agent.chat("three");
    const said = prompts.map((prompt) => JSON.stringify(prompt.at(-1)?.content));
    expect(said[1]).toMatch(/two[\s\S]*skills changed[\s\S]*new: new-one: Fresh\.[\s\S]*gone: hush/);
    expect(said[2]).not.toContain("changed");
    expect(new Set(prompts.map((prompt) => JSON.stringify(prompt[0]))).size).toBe(1);
    await agent.reset();
    await agent.chat("four");
    expect(JSON.stringify(prompts[3]?.[0])).toContain("<name>new-one</name>");
  });
});

async function packageAgent(
  skillsPackage: Partial<NonNullable<AgentConfig["skillsPackage"]>>,
  steps = [{ text: "ok" }] as Parameters<typeof scriptedModel>[0],
) {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-agent-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) await put(folder, path, content);
  const { model, prompts } = scriptedModel(steps);
  const config = {
    sandbox: { isolation: "auto" as const, workDir: folder },
    skillsPackage: { source: "local" as const, ...skillsPackage },
  };
  return { agent: await testAgent({ model, config }), prompts, folder };
}

async function put(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}
