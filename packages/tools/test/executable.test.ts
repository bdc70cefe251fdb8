import { applyStateDeltas, type JsonObject, type SkillTool, type ToolResult } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller, refusalOf, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

/** A plain shell script: prints its stdin, its variables and its directory. */
const echo = `#!/bin/sh
read -r given
printf '{"given": %s, "count": "%s", "flag": "%s", "options": %s, "where": "%s"}\\n' \\
  "$given" "$SKILL_PARAM_COUNT" "$SKILL_PARAM_FLAG" "\${SKILL_PARAM_OPTIONS:-null}" "\${PWD##*/}"
`;

const header = `executable:
  runtime: sh
  entry: ./scripts/echo.sh
  timeout: 20
parameters:
  text: { type: string, description: What to say., required: true }
  count: { type: integer }
  flag: { type: boolean }
  options: { type: object }
  color: { type: string, enum: [red, green] }
returns:
  given: { type: object }
  where: { type: string }
`;

/** A single declared value may be printed without its name. */
const direct = `executable:
  entry: '[ "$SKILL_PARAM_N" -gt 0 ] && echo $((SKILL_PARAM_N * 2)) || { echo none >&2; exit 1; }'
parameters:
  n: { type: number, required: true }
returns:
  double: { type: number }
`;

const liar = `executable: { runtime: sh, entry: lie.sh }
parameters: {}
returns:
  total: { type: number }
  names: { type: "string[]" }
`;

async function setUp(options: object = {}) {
  const skills = skillBox({
    own: memoryRepository({
      skills: {
        "echo-all": { "SKILL.md": skillFile("echo-all", header), "scripts/echo.sh": echo },
        liar: {
          "SKILL.md": skillFile("liar", liar),
          "lie.sh": 'echo \'{"total": "many", "names": ["a"]}\'\n',
        },
        editing: {
          "SKILL.md": skillFile(
            "editing",
            "executable: { runtime: sh, entry: e.sh }\nparameters: { editor: What. }\n",
          ),
          "e.sh": 'printf "%s %s\\n" "$(cat)" "$SKILL_PARAM_EDITOR"\n',
        },
        direct: { "SKILL.md": skillFile("direct", direct) },
        plain: { "SKILL.md": skillFile("plain") },
        lost: { "SKILL.md": skillFile("lost", "executable: { runtime: sh, entry: gone.sh }\n") },
      },
    }),
  });
  const workspaces = await realWorkspaces(skills);
  const toolset = skillToolset({ skills, workspaces, calls: true, ...options });
  return { toolset, call: caller(toolset.tools), skills };
}

const loaded = (...names: string[]) =>
  callContext({ state: Object.fromEntries(names.map((name) => [`temp:skill:loaded:${name}`, "1"])) });
const output = (result: ToolResult) => result.output as JsonObject;
const names = (tools: readonly SkillTool[]) => tools.map(({ name }) => name);

describe("tools that appear when a skill is loaded", () => {
  test("there are none before, and then one with typed parameters", async () => {
    const { toolset } = await setUp();
    expect(await toolset.loadedTools(callContext())).toEqual([]);
    const [tool, ...others] = await toolset.loadedTools(loaded("echo-all", "plain"));
    expect(others).toEqual([]);
    expect(tool).toMatchObject({
      name: "run_echo_all",
      description: "Does echo-all things.",
      inputSchema: {
        type: "object",
        properties: {
          text: { type: "string", description: "What to say." },
          count: { type: "integer" },
          color: { enum: ["red", "green"] },
        },
        required: ["text"],
        additionalProperties: false,
      },
    });
  });

  test("reading SKILL.md adds it, and a refused read does not (TOOL-15, TOOL-16)", async () => {
    const { toolset } = await setUp({ preset: "read" });
    const call = caller(toolset.tools);
    const after = async (path: string) => {
      const { stateDelta } = await call("skill_read", { skill: "echo-all", path });
      return await toolset.loadedTools(callContext({ state: applyStateDeltas({}, [stateDelta]) }));
    };
    expect(names(await after("SKILL.md"))).toEqual(["run_echo_all"]);
    for (const path of [".", "scripts", "../echo-all/SKILL.md"]) expect(await after(path)).toEqual([]);
  });

  test("each agent and session sees only its own, also after the state was stored (TOOL-20)", async () => {
    const { toolset, call } = await setUp();
    const state = async (skill: string, agent?: string) => {
      const { stateDelta } = await call("skill_load", { skill }, callContext({ agent }));
      return JSON.parse(JSON.stringify(applyStateDeltas({}, [stateDelta])));
    };
    const [one, two] = await Promise.all([state("echo-all"), state("liar")]);
    const seen = await Promise.all([one, two].map((own) => toolset.loadedTools(callContext({ state: own }))));
    expect(seen.map(names)).toEqual([["run_echo_all"], ["run_liar"]]);
    const writers = await state("liar", "writer");
    expect(names(await toolset.loadedTools(callContext({ state: writers, agent: "writer" })))).toEqual([
      "run_liar",
    ]);
    expect(await toolset.loadedTools(callContext({ state: writers, agent: "editor" }))).toEqual([]);
    expect(await toolset.loadedTools(callContext({ state: writers }))).toEqual([]);
  });

  test("a call after its skill was unloaded says so", async () => {
    const { toolset } = await setUp();
    const [tool] = await toolset.loadedTools(loaded("echo-all"));
    const result = await tool?.execute({ text: "x" }, callContext());
    expect(result && refusalOf(result).message).toContain("Load the skill first");
  });
});

describe("a call of an executable skill", () => {
  test("runs a relative entry in the skill's directory (RUN-13)", async () => {
    const { call } = await setUp();
    const result = await call(
      "skill_call",
      { skill: "echo-all", parameters: { text: "x" } },
      loaded("echo-all"),
    );
    expect(output(result)).toMatchObject({ exit_code: 0, result: { where: "echo-all" } });
  });

  test("passes numbers, booleans, objects and texts to the script unchanged (RUN-14)", async () => {
    const { toolset } = await setUp();
    const [tool] = await toolset.loadedTools(loaded("echo-all"));
    const given = {
      text: 'it\'s "quoted" $HOME\n`x` é',
      count: 3,
      flag: false,
      options: { deep: [1, null] },
    };
    const result = await tool?.execute(given, loaded("echo-all"));
    expect(result && output(result)["result"]).toEqual({
      given,
      count: "3",
      flag: "false",
      options: { deep: [1, null] },
      where: "echo-all",
    });
    expect(result && output(result)).not.toHaveProperty("result_problems");
  });

  test("without a runtime runs the entry as written", async () => {
    const { call } = await setUp();
    const result = await call("skill_call", { skill: "direct", parameters: { n: 2 } }, loaded("direct"));
    expect(output(result)).toMatchObject({ result: { double: 4 }, exit_code: 0 });
    expect(output(result)).not.toHaveProperty("result_problems");
  });

  test("a failing command is a result without a value", async () => {
    const { call } = await setUp();
    const result = await call("skill_call", { skill: "direct", parameters: { n: 0 } }, loaded("direct"));
    expect(output(result)).toMatchObject({ exit_code: 1, stderr: "none\n" });
    expect(output(result)).not.toHaveProperty("result");
  });

  test.each([
    [{}, '"text" is required'],
    [{ text: "x", count: 1.5 }, '"count" is 1.5'],
    [{ text: "x", flag: "maybe" }, '"flag" is "maybe"'],
    [{ text: "x", color: "blue" }, "red, green"],
    [{ text: "x", other: 1 }, 'Unknown field "other". Valid: text, count, flag, options, color'],
  ])("with %j is refused before anything runs: %s", async (parameters, message) => {
    const { call } = await setUp();
    const result = await call("skill_call", { skill: "echo-all", parameters }, loaded("echo-all"));
    expect(refusalOf(result)).toMatchObject({ code: "INPUT_INVALID", retry: true });
    expect(refusalOf(result).message).toContain(message);
  });

  test("repairs slightly wrong parameters", async () => {
    const { call } = await setUp();
    const parameters = { text: "x", count: "7", flag: "true", options: '{"a":1}' };
    const result = await call("skill_call", { skill: "echo-all", parameters }, loaded("echo-all"));
    expect(output(result)["result"]).toMatchObject({ given: { count: 7, flag: true, options: { a: 1 } } });
  });

  test("reports where the output differs from what the skill declares", async () => {
    const { call } = await setUp();
    const result = await call("skill_call", { skill: "liar" }, loaded("liar"));
    expect(output(result)["result"]).toEqual({ total: "many", names: ["a"] });
    expect(output(result)["result_problems"]).toEqual([expect.stringContaining("total: ")]);
  });

  test("a call of a skill that is not loaded, not executable or lacks its file is refused", async () => {
    const { call } = await setUp();
    const state = loaded("plain", "lost");
    expect(refusalOf(await call("skill_call", { skill: "liar" }, state)).message).toContain(
      "Load the skill first",
    );
    expect(refusalOf(await call("skill_call", { skill: "plain" }, state)).message).toContain(
      "is not executable",
    );
    expect(refusalOf(await call("skill_call", { skill: "lost" }, state)).message).toContain(
      'no file "gone.sh"',
    );
  });

  test("is checked by the policy like every command", async () => {
    const policy = async ({ command }: { command: string }) =>
      ({ allowed: false, reason: `Not "${command}".`, hint: "" }) as const;
    const { call } = await setUp({ policy });
    const result = await call("skill_call", { skill: "liar" }, loaded("liar"));
    expect(refusalOf(result).message).toContain("Not \"sh 'lie.sh'\"");
  });
});

test("a parameter whose variable would affect other programs is passed on standard input only", async () => {
  const policy = async () => ({ allowed: true }) as const;
  const { call } = await setUp({ policy });
  const result = await call(
    "skill_call",
    { skill: "editing", parameters: { editor: "vi" } },
    loaded("editing"),
  );
  expect(output(result)["result"]).toEqual({ editor: "vi" });
  expect(result.diagnostics.map(({ code }) => code)).toContain("parameter.stdin-only");
});

test("with skill_call the loaded text lists the parameters", async () => {
  const { call } = await setUp();
  const text = String((await call("skill_load", { skill: "echo-all" })).output);
  expect(text).toContain('Call it with skill_call. Its parameters: {"type":"object","properties":{"text":');
  expect(String((await call("skill_load", { skill: "plain" })).output)).not.toContain("skill_call");
});
