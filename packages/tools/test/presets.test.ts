import type { Workspaces } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf } from "./example-skills.js";

const skills = exampleCatalog();
const names = (options: Partial<Parameters<typeof skillTools>[0]>) =>
  skillTools({ skills, ...options }).map(({ name }) => name);

describe("each preset offers a model one tool per purpose", () => {
  test("load is the default", () => {
    expect(names({ preset: "load" })).toEqual(names({}));
    expect(names({})).toEqual(["skill_list", "skill_load", "skill_select_docs", "skill_list_docs"]);
  });

  test("activate returns the instructions by name and every other file by path", () => {
    expect(names({ preset: "activate" })).toEqual(["skill_list", "skill_activate", "skill_read"]);
  });

  test("read uses one tool for everything", () => {
    expect(names({ preset: "read" })).toEqual(["skill_list", "skill_read"]);
  });

  test("files returns the instructions with skill_load and every other file by path", async () => {
    expect(names({ preset: "files" })).toEqual(["skill_list", "skill_load", "skill_read"]);
    const call = caller(skillTools({ skills, preset: "files" }));
    const { output } = await call("skill_load", { name: "greeter" });
    expect(output).toContain("Files: USAGE.md, docs/Guide.MD, notes.TXT, scripts/greet.sh");
    expect(refusalOf(await call("skill_load", { skill: "greeter", docs: ["USAGE.md"] })).message).toContain(
      'Unknown field "docs"',
    );
    expect((await call("skill_read", { skill: "greeter", path: "USAGE.md" })).isError).toBe(false);
    expect(refusalOf(await call("skill_read", { skill: "greeter", path: "SKILL.md" })).message).toBe(
      'Call skill_load with "greeter" for its instructions.',
    );
  });

  test("with skill_search the list accepts no query", () => {
    const tools = skillTools({ skills, search: true });
    expect(tools.map(({ name }) => name)).toContain("skill_search");
    const list = tools.find(({ name }) => name === "skill_list");
    expect(Object.keys(list?.inputSchema["properties"] as object)).toEqual(["limit", "offset"]);
  });

  test("an unknown preset is refused with the known ones", () => {
    expect(() => skillTools({ skills, preset: "everything" as never })).toThrow(
      /There are: load, activate, read, files/,
    );
  });
});

test.each([
  ["load", "skill_load"],
  ["activate", "skill_activate"],
  ["read", "skill_read for its SKILL.md"],
  ["files", "skill_load"],
] as const)("with preset %s the gate before a run names %s (TOOL-04)", async (preset, tool) => {
  const call = caller(skillTools({ skills, workspaces: {} as Workspaces, preset, requireLoad: true }));
  const refusal = refusalOf(await call("skill_run", { skill: "greeter", command: "ls" }));
  expect(refusal).toMatchObject({ code: "REFUSED", retry: true });
  expect(refusal.message).toBe(`Load the skill first: call ${tool} with "greeter".`);
});

test("loads of another agent of the session do not count (TOOL-05)", async () => {
  const call = caller(skillTools({ skills, workspaces: {} as Workspaces, requireLoad: true }));
  const { stateDelta } = await call("skill_load", { skill: "greeter" }, callContext({ agent: "writer" }));
  const context = callContext({ state: { "temp:skill:loaded_by_agent:writer/greeter": "1" } });
  expect(stateDelta).toEqual(context.state);
  for (const agent of ["editor", undefined])
    expect(
      refusalOf(await call("skill_run", { skill: "greeter", command: "ls" }, { ...context, agent })),
    ).toMatchObject({
      code: "REFUSED",
    });
});

describe("skill_activate", () => {
  const call = caller(skillTools({ skills, preset: "activate" }));

  test("returns the body as the tool's result and the other files by name", async () => {
    const { output, stateDelta } = await call("skill_activate", { name: "greeter" });
    expect(output).toMatch(/^<loaded_skill name="greeter" source="own">\nRun `sh scripts/);
    expect(output).toContain("Files: USAGE.md, docs/Guide.MD, notes.TXT, scripts/greet.sh");
    expect(stateDelta).toEqual({ "temp:skill:loaded:greeter": "1" });
  });

  test("also accepts the skill's name under the field name of the other tools", async () => {
    expect((await call("skill_activate", { skill: "counter" })).isError).toBe(false);
    expect(refusalOf(await call("skill_activate", { skill: "counter", name: "greeter" })).message).toContain(
      'Unknown field "skill"',
    );
  });

  test("an unknown name is refused with that name (TOOL-06)", async () => {
    const result = await call("skill_activate", { name: "gretter" });
    expect(refusalOf(result)).toMatchObject({ code: "SKILL_NOT_FOUND", retry: true });
    expect(refusalOf(result).message).toContain('no skill "gretter"');
    expect(result.stateDelta).toEqual({});
  });
});

describe("skill_search", () => {
  const call = caller(skillTools({ skills, search: true }));

  test("returns matching skills, never hidden ones", async () => {
    expect((await call("skill_search", { query: "greeter" })).output).toMatchObject({
      skills: [{ name: "greeter", description: "Does greeter things.", source: "own" }],
    });
    expect((await call("skill_search", { query: "manual" })).output).toMatchObject({ skills: [] });
  });

  test("says what to do where nothing matches", async () => {
    expect((await call("skill_search", { query: "zebra" })).output).toEqual({
      skills: [],
      note: "No skill matches. Try other words, or skill_list for all.",
    });
  });

  test("requires words", async () => {
    expect(refusalOf(await call("skill_search", { query: " " })).message).toContain('"query" is required');
  });
});
