import { recordSessions } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s1" };
const load = (skill: string) => ({ calls: [{ tool: "skill_load", input: { skill } }] });
const profile = { read: async () => ({ text: "You are you.", diagnostics: [] }) };

async function conversation(steps: readonly ScriptedStep[], config: Partial<AgentConfig> = {}) {
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const repository = memoryRepository({ skills: { shout: SHOUT } });
  const { model, prompts } = scriptedModel(steps);
  const agent = await testAgent({ model, repository, records, profile, config: { session, ...config } });
  const history = async () => {
    const stored = (await sessions.get(session))?.history ?? [];
    return stored as unknown as readonly { readonly role: string; readonly content: unknown }[];
  };
  return { agent, prompts, history, repository };
}

describe("compaction", () => {
  test("replaces older turns with a summary; the newest stays complete, calls with their results", async () => {
    const steps = [{ text: "a" }, load("shout"), { text: "b" }, { text: "We spoke." }, { text: "c" }];
    const { agent, history } = await conversation(steps);
    await agent.chat("one");
    await agent.chat("two");
    expect(await agent.compact()).toBe(true);
    expect((await history()).map(({ role }) => role)).toEqual([
      "user",
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect((await history())[0]?.content).toBe("Summary of the conversation so far:\n\nWe spoke.");
    await agent.chat("three");
    expect((await history())[0]).toEqual({ role: "system", content: "You are you." });
  });

  test("sends the unchanged conversation plus one message, so that the cache is used", async () => {
    const { agent, prompts } = await conversation([{ text: "a" }, { text: "Sum." }], {
      compaction: { keepTurns: 0 },
    });
    await agent.chat("one");
    await agent.compact();
    const [before = [], asked = []] = prompts;
    expect(JSON.stringify(asked.slice(0, before.length))).toBe(JSON.stringify(before));
    expect(asked.slice(before.length).map(({ role }) => role)).toEqual(["assistant", "user"]);
  });

  test("bodies removed with it are put back as one system message, once (LOAD-04)", async () => {
    const steps = [load("shout"), { text: "a" }, { text: "Sum." }, { text: "b" }];
    const { agent, prompts } = await conversation(steps, {
      loads: { life: "session" },
      compaction: { keepTurns: 0 },
    });
    await agent.chat("one");
    await agent.compact();
    await agent.chat("two");
    await agent.chat("three");
    const roles = prompts[3]?.map(({ role }) => role);
    expect(roles).toEqual(["system", "system", "user", "system", "user"]);
    expect(String(prompts[3]?.[3]?.content)).toMatch(
      /^These skills are loaded\.[\s\S]*<loaded_skill name="shout">/,
    );
    expect(JSON.stringify(prompts[4]).split("<loaded_skill")).toHaveLength(2);
  });

  test("where the newest turn still contains them, nothing is put back", async () => {
    const steps = [{ text: "a" }, load("shout"), { text: "b" }, { text: "Sum." }, { text: "c" }];
    const { agent, prompts } = await conversation(steps, { loads: { life: "session" } });
    for (const message of ["one", "two"]) await agent.chat(message);
    await agent.compact();
    await agent.chat("three");
    expect(JSON.stringify(prompts.at(-1)).split("<loaded_skill")).toHaveLength(2);
  });

  test("the overview is generated again after it, and not before", async () => {
    const { agent, prompts, repository } = await conversation([{ text: "a" }], {
      compaction: { keepTurns: 0 },
    });
    await agent.chat("one");
    const fresh = "---\nname: fresh\ndescription: Is new.\n---\n";
    await repository.upload([{ path: "SKILL.md", content: new TextEncoder().encode(fresh) }]);
    await agent.chat("two");
    expect(prompts[1]?.[0]).toEqual(prompts[0]?.[0]);
    expect(JSON.stringify(prompts[1]?.at(-1))).toContain("- new: fresh: Is new.");
    await agent.compact();
    await agent.chat("three");
    expect(JSON.stringify(prompts.at(-1)?.[0])).toContain("<name>fresh</name>");
    expect(JSON.stringify(prompts.at(-1)?.at(-1))).not.toContain("skills changed");
  });

  test("happens automatically where a turn begins with more than the allowed characters", async () => {
    const { agent, history } = await conversation(
      [{ text: "word ".repeat(300) }, { text: "Sum." }, { text: "b" }],
      {
        compaction: { atCharacters: 1000, keepTurns: 0 },
      },
    );
    await agent.chat("one");
    const { diagnostics } = await agent.chat("two");
    expect((await history()).map(({ role }) => role)).toEqual(["system", "user", "user", "assistant"]);
    expect(diagnostics).toMatchObject([{ code: "history.compacted" }]);
  });

  test("where that fails the turn continues with the whole conversation, and it is reported", async () => {
    const { agent, history } = await conversation(
      [{ text: "word ".repeat(300) }, { text: " " }, { text: "b" }],
      {
        compaction: { atCharacters: 1000, keepTurns: 0 },
      },
    );
    await agent.chat("one");
    const { text, diagnostics } = await agent.chat("two");
    expect(text).toBe("b");
    expect(await history()).toHaveLength(5);
    expect(diagnostics).toMatchObject([{ code: "history.not-compacted" }]);
  });

  test("a missing summary changes nothing; nothing to shorten is reported", async () => {
    const { agent, history } = await conversation([{ text: "a" }, { text: " " }], {
      compaction: { keepTurns: 0 },
    });
    expect(await agent.compact()).toBe(false);
    await agent.chat("one");
    const before = await history();
    await expect(agent.compact()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect(await history()).toEqual(before);
  });
});

test("after a restart the stored prompt is used unchanged, and changes made meanwhile are reported at once (AGENT-08, LIST-21)", async () => {
  const records = memoryRecords();
  const first = scriptedModel([{ text: "a" }]);
  await (await testAgent({ ...first, skills: { shout: SHOUT }, records, config: { session } })).chat("one");
  const second = scriptedModel([{ text: "b" }]);
  const fresh = { "SKILL.md": "---\nname: fresh\ndescription: Is new.\n---\n" };
  const skills = { shout: { ...SHOUT, "shout.sh": "changed\n" }, fresh };
  const agent = await testAgent({ ...second, skills, records, config: { session } });
  await agent.chat("two");
  await agent.chat("three");
  expect(second.prompts[0]?.[0]).toEqual(first.prompts[0]?.[0]);
  expect(JSON.stringify(second.prompts[0]?.at(-1))).toMatch(
    /new: fresh[\s\S]*changed \(load it again before use\): shout/,
  );
  expect(JSON.stringify(second.prompts[1]?.at(-1))).not.toContain("skills changed");
});
