import { SKILL_STATE_KEYS } from "@skillwright/core";
import { recordSessions, type Sessions } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { type ScriptedStep, scriptedModel } from "./scripted-model.js";
import { SHOUT, testAgent } from "./test-agent.js";

const session = { app: "test", user: "u", session: "s1" };
const named = (name: string, more = "") => ({
  "SKILL.md": `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody of ${name}: $ARGUMENTS.\n`,
  "NOTES.md": `Notes of ${name}.`,
});
const skills = {
  shout: SHOUT,
  one: named("one"),
  two: named("two"),
  manual: named("manual", "disable-model-invocation: true\nargument-hint: '[what]'\n"),
};
const load = (skill: string, more = {}) => ({ calls: [{ tool: "skill_load", input: { skill, ...more } }] });

async function loading(
  steps: readonly ScriptedStep[],
  loads: AgentConfig["loads"],
  records = memoryRecords(),
) {
  const { model, prompts, requests } = scriptedModel(steps);
  const agent = await testAgent({ model, skills, records, config: { session, loads } });
  const systems = () => prompts.map(([first]) => String(first?.role === "system" ? first.content : ""));
  return { agent, prompts, requests, systems, loaded: () => loadedIn(recordSessions(records)) };
}

async function loadedIn(sessions: Sessions): Promise<string[]> {
  const keys = Object.keys((await sessions.get(session))?.state ?? {});
  const prefix = SKILL_STATE_KEYS.loaded("");
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

describe("bodies in the system prompt", () => {
  const bodies = "system" as const;

  test("life once: only in the next request (LOAD-01)", async () => {
    const { agent, systems } = await loading([load("one"), load("two"), { text: "ok" }], {
      bodies,
      life: "once",
    });
    await agent.chat("go");
    await agent.chat("on");
    expect(systems().map((text) => [text.includes("Body of one"), text.includes("Body of two")])).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  test("life turn: unloaded at the user's next turn (LOAD-02)", async () => {
    const { agent, systems } = await loading([load("one"), { text: "a" }, { text: "b" }], { bodies });
    await agent.chat("go");
    await agent.chat("on");
    expect(systems().map((text) => text.includes("Body of one"))).toEqual([false, true, false]);
  });

  test("life session: loaded until it is unloaded (LOAD-03)", async () => {
    const { agent, systems } = await loading([load("one"), { text: "a" }], { bodies, life: "session" });
    for (const message of ["go", "on", "on"]) await agent.chat(message);
    await agent.unload(["one"]);
    await agent.chat("on");
    expect(systems().map((text) => text.includes("Body of one"))).toEqual([false, true, true, true, false]);
  });

  test("the results of loading tools do not repeat it, and selected documents follow the body", async () => {
    const { agent, prompts, systems } = await loading([load("one", { docs: ["NOTES.md"] }), { text: "a" }], {
      bodies,
    });
    await agent.chat("go");
    expect(systems()[1]).toContain("Notes of one.");
    expect(JSON.stringify(prompts[1]?.slice(1))).not.toContain("Body of one");
  });

  test("no more than maxLoaded are loaded; the oldest is unloaded, with a diagnostic (LOAD-05)", async () => {
    const { agent, systems } = await loading([load("one"), load("two"), { text: "a" }], {
      bodies,
      maxLoaded: 1,
    });
    const { diagnostics } = await agent.chat("go");
    expect(systems()[2]).toContain("Body of two");
    expect(systems()[2]).not.toContain("Body of one");
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "loads.evicted" }));
  });
});

describe("loads of a conversation", () => {
  test("an unloaded skill does not count as loaded, and the next run stages another one without it (LOAD-06)", async () => {
    const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
    const steps = [load("one"), load("shout"), { text: "a" }, run, { text: "b" }];
    const { agent, loaded } = await loading(steps, { life: "session" });
    await agent.chat("load");
    expect(await loaded()).toEqual(["one", "shout"]);
    await agent.unload(["one"]);
    const { events } = await agent.chat("run");
    expect(await loaded()).toEqual(["shout"]);
    const staged = events.flatMap((event) =>
      event.type === "tool.progress" && event.event.type === "skill.staged" ? [event.event.skill] : [],
    );
    expect(staged).toEqual(["shout"]);
  });

  test("where a load is required, an unloaded skill is refused until it is loaded again (LOAD-06)", async () => {
    const run = { calls: [{ tool: "skill_run", input: { skill: "shout", command: "true" } }] };
    const activate = { calls: [{ tool: "skill_activate", input: { name: "shout" } }] };
    const { model, requests } = scriptedModel([activate, run, { text: "a" }, run, { text: "b" }]);
    const agent = await testAgent({
      model,
      skills,
      config: { loads: { life: "session" }, skillTools: { preset: "activate", requireLoad: true } },
    });
    const refused = async (message: string) => {
      const { events } = await agent.chat(message);
      return events.flatMap((event) => (event.type === "tool.response" ? [event.isError] : []));
    };
    expect(await refused("load and run")).toEqual([false, false]);
    await agent.unload(["shout"]);
    expect(await refused("run")).toEqual([true]);
    expect(String(requests[0]?.prompt[0]?.content)).toContain("call `skill_activate` with its name first");
  });

  test("declared skills are in the conversation from the start, once", async () => {
    const { agent, prompts, loaded } = await loading([{ text: "a" }], { declared: ["one"] });
    await agent.chat("go");
    await agent.chat("on");
    expect(await loaded()).toEqual(["one"]);
    expect(prompts[0]?.map(({ role }) => role)).toEqual(["system", "system", "user"]);
    expect(JSON.stringify(prompts[1]).split("Body of one")).toHaveLength(2);
  });

  test("a declared skill brings its declared documents (LOAD-07)", async () => {
    for (const documents of ["*", ["NOTES.md"]] as const) {
      const { agent, prompts } = await loading([{ text: "a" }], { declared: [{ skill: "one", documents }] });
      await agent.chat("go");
      const sent = JSON.stringify(prompts[0]);
      expect(sent).toMatch(
        /Body of one[\s\S]*<loaded_document skill=\\"one\\" path=\\"NOTES.md\\">[\s\S]*Notes of one/,
      );
    }
  });

  test("an unknown declared skill or document is an error that names those that exist (LOAD-08)", async () => {
    const declared = ["one", "on", { skill: "two", documents: ["NOTES.md", "notes.md"] }];
    await expect(loading([{ text: "a" }], { declared })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(
        /loads\.declared\[1\]: given "on"; expected the name of a skill: manual, one, shout, two\.\n.*loads\.declared\[2\]\.documents: given "notes\.md"; expected a document of "two": NOTES\.md\.$/s,
      ),
    });
  });

  test("two agents in one session have separate loads", async () => {
    const records = memoryRecords();
    const sessions = recordSessions(records);
    const config = (agent: string) => ({ session, agent, loads: { life: "session" as const } });
    const first = scriptedModel([load("one"), { text: "a" }]);
    const second = scriptedModel([{ text: "b" }]);
    await (await testAgent({ ...first, skills, records, config: config("writer") })).chat("go");
    await (await testAgent({ ...second, skills, records, config: config("reader") })).chat("go");
    const { state = {} } = (await sessions.get(session)) ?? {};
    expect(state).toHaveProperty([SKILL_STATE_KEYS.loaded("one", "writer")], "1");
    expect(Object.keys(state).filter((key) => key.includes("reader"))).toEqual([
      "agent:system-prompt:reader",
    ]);
  });
});

describe("commands", () => {
  test("a skill that only people may start is a command: its instructions are in the message (CMD-01)", async () => {
    const { agent, prompts, loaded } = await loading([{ text: "a" }], {});
    expect(await agent.commands()).toContainEqual({
      name: "manual",
      description: "Does manual.",
      argumentHint: "[what]",
      skill: "manual",
    });
    await agent.chat("/manual the sea");
    const said = JSON.stringify(prompts[0]?.at(-1)?.content);
    expect(said).toContain("Body of manual: the sea.");
    expect(await loaded()).toEqual(["manual"]);
    expect(JSON.stringify(prompts[0]?.[0])).not.toContain("manual");
  });

  test("a skill that people may not start is in the overview, and not a command (CMD-02)", async () => {
    const { model, prompts } = scriptedModel([{ text: "a" }]);
    const inner = named("inner", "user-invocable: false\n");
    const agent = await testAgent({ model, skills: { inner } });
    expect(await agent.commands()).toEqual([]);
    await agent.chat("/inner go");
    expect(JSON.stringify(prompts[0]?.[0])).toContain("<name>inner</name>");
    expect(JSON.stringify(prompts[0]?.at(-1))).not.toContain("Body of inner");
  });

  test("a message that begins with no command is unchanged", async () => {
    const { agent, prompts } = await loading([{ text: "a" }], {});
    await agent.chat("/etc/hosts is what?");
    expect(prompts[0]?.at(-1)?.content).toEqual([{ type: "text", text: "/etc/hosts is what?" }]);
  });
});

test("triggers are reported in the turn's own message, by its words and its files (PROMPT-18)", async () => {
  const { model, prompts } = scriptedModel([{ text: "ok" }]);
  const triggered = { csv: named("csv", "triggers: [{type: file_pattern, pattern: '*.csv'}, story]\n") };
  const agent = await testAgent({ model, skills: triggered });
  await agent.chat("hello");
  await agent.upload("a.csv", "x");
  await agent.chat("look at it");
  await agent.chat("tell a story");
  const said = prompts.map((prompt) => JSON.stringify(prompt.at(-1)?.content));
  expect(said[0]).not.toContain("calls for");
  expect(said[1]).toMatch(
    /look at it[\s\S]*Skills that this request calls for: `csv` \(the file [^)]*a\.csv\)[\s\S]*Uploaded/,
  );
  expect(said[2]).toContain('`csv` (the word \\"story\\")');
  expect(new Set(prompts.map((prompt) => JSON.stringify(prompt[0]))).size).toBe(1);
});

test("the path of a SKILL file in a Markdown overview can be read by the agent's tools, before any run", async () => {
  const read = (path: string) => ({ calls: [{ tool: "workspace_read", input: { path } }] });
  const records = memoryRecords();
  const sessions = recordSessions(records);
  const { model, prompts } = scriptedModel((step, { prompt }) => {
    const [, path = ""] = /SKILL file: `([^`]*one[^`]*)`/.exec(String(prompt[0]?.content)) ?? [];
    return (
      [read(path), read("skills/one/NOTES.md"), read("skills/manual/SKILL.md")][step - 1] ?? { text: "ok" }
    );
  });
  const config = { session, overview: { format: "markdown" as const } };
  const agent = await testAgent({ model, skills, records, config });
  const { events } = await agent.chat("go");
  const outputs = events.flatMap((event) => (event.type === "tool.response" ? [event.output] : []));
  expect(outputs[0]).toContain("Body of one");
  expect(outputs[1]).toMatchObject({ content: "Notes of one." });
  expect(outputs[2]).toHaveProperty("error");
  expect(await loadedIn(sessions)).toEqual(["one"]);
  expect(String(prompts[0]?.[0]?.content)).toContain("## Active Skills");
});

test("an agent without skills has no skill tools and no overview (TOOL-07)", async () => {
  const { model, prompts, requests } = scriptedModel([{ text: "ok" }]);
  await (await testAgent({ model, withoutSkills: true })).chat("hello");
  expect(requests[0]?.tools?.filter(({ name }) => name.startsWith("skill_"))).toEqual([]);
  expect(prompts[0]?.[0]).toMatchObject({ role: "system", content: "You are tested." });
});
