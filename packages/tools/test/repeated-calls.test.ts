import { readText, type SkillTool } from "@skillwright/core";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, greeter, session, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const APPEND = 'echo ran >> "$OUTPUT_DIR/log.txt"';
const skill = "appender";
const executable = `executable:\n  runtime: sh\n  entry: append.sh\nparameters: {}\nreturns:\n  n: { type: integer }\n`;

/** A call of each tool that a process may repeat after another process has died. */
const CALLS: Readonly<Record<string, object>> = {
  skill_list: {},
  skill_search: { query: "append" },
  skill_load: { skill },
  skill_select_docs: { skill: "greeter", mode: "replace", docs: ["USAGE.md"] },
  skill_list_docs: { skill: "greeter" },
  skill_activate: { skill },
  skill_read: { skill, path: "SKILL.md" },
  skill_poll: { run_id: "unknown" },
  skill_run: { skill, command: APPEND, output_files: ["out/**"], save_as_artifacts: true },
  skill_call: { skill, parameters: {} },
  run_appender: {},
  workspace_run: { command: APPEND },
  workspace_list: {},
  workspace_read: { path: "out/log.txt" },
  workspace_write: { path: "out/log.txt", content: "new" },
};

async function setUp() {
  const skills = skillBox({
    own: memoryRepository({
      skills: {
        greeter,
        [skill]: {
          "SKILL.md": skillFile(skill, executable),
          "append.sh": `${APPEND}; printf '{"n": 1}'\n`,
        },
      },
    }),
  });
  const artifacts = memoryArtifacts();
  const workspaces = await realWorkspaces(skills, { artifacts });
  const sets = (["load", "activate", "read"] as const).map((preset) =>
    skillToolset({ skills, workspaces, preset, search: true, calls: true, manage: true, interactive: true }),
  );
  const state = { [`temp:skill:loaded:${skill}`]: "1" };
  const context = callContext({ state, key: "turn/1/call", callId: "call" });
  const all = (
    await Promise.all(sets.map(async (set) => [...set.tools, ...(await set.loadedTools(context))]))
  ).flat();
  const tools = new Map(all.map((tool) => [tool.name, tool]));
  const { id } = await workspaces.forSession(session);
  await workspaces.write(id, "out/log.txt", "before\n");
  const left = async () => ({
    files: await Promise.all(
      (await workspaces.files(id)).map(async ({ path }) => [
        path,
        await readText(await workspaces.download(id, path), 1000),
      ]),
    ),
    artifacts: (await artifacts.list(session)).map(({ name, version }) => [name, version]),
  });
  return { tools, context, left };
}

const isRepeatable = ({ parallel, repeatable }: SkillTool) => parallel || repeatable === true;

describe("a call that is made again with the same key", () => {
  test("is only made with tools in this list", async () => {
    const { tools } = await setUp();
    const repeatable = [...tools.values()].filter(isRepeatable).map(({ name }) => name);
    expect(repeatable.toSorted()).toEqual(Object.keys(CALLS).toSorted());
    expect([...tools.keys()].filter((name) => !repeatable.includes(name)).toSorted()).toEqual([
      "skill_manage",
      "skill_start",
      "skill_stop",
      "skill_write",
    ]);
  });

  test.each(Object.entries(CALLS))("has no further effect: %s", async (name, input) => {
    const { tools, context, left } = await setUp();
    const tool = tools.get(name) as SkillTool;
    const before = await left();
    const first = await tool.execute(input, context);
    const once = await left();
    if (tool.parallel) expect(once).toEqual(before);
    else expect(once).not.toEqual(before);
    const second = await tool.execute(input, context);
    expect(await left()).toEqual(once);
    expect(second.output).toEqual(first.output);
    expect(second.stateDelta).toEqual(first.stateDelta);
  });
});
