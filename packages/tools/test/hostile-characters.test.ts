import {
  applyStateDeltas,
  type JsonObject,
  type SkillTool,
  type ToolContext,
  type ToolResult,
} from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { callContext, caller } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

/** An escape, a C1 control, a direction mark, a zero-width character, a tag character. */
const HOSTILE = "a\u001b[31m\u009b2J\u202eb\u200bc\u{e0041}";
const SHOWN = "a\\u{1b}[31m\\u{9b}2J\\u{202e}b\\u{200b}c\\u{e0041}";
const RAW =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/u;

/** In the form of a POSIX shell's printf. */
const PRINTED = [...new TextEncoder().encode(HOSTILE)]
  .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
  .join("");

const skillFile = (name: string, header = "") =>
  `---\nname: ${name}\ndescription: "Does \\u200b\\U000E0041 things of ${name}."\n${header}---\nBody ${HOSTILE}\n`;

const EXECUTABLE = `executable: { runtime: sh, entry: e.sh }\nparameters: {}\nreturns: { said: { type: string } }\n`;

async function setUp() {
  const repository = memoryRepository({
    skills: {
      demo: { "SKILL.md": skillFile("demo"), "docs/guide.md": `Guide ${HOSTILE}` },
      typed: { "SKILL.md": skillFile("typed", EXECUTABLE), "e.sh": `printf '{"said":"${PRINTED}"}'` },
    },
  });
  const skills = skillBox({ own: repository });
  const workspaces = await realWorkspaces(skills);
  const approval = { request: async () => ({ approved: true }) } as never;
  const common = { skills, workspaces, approval, search: true, calls: true, interactive: true } as const;
  const loaded = callContext({
    state: applyStateDeltas({}, [{ "temp:skill:loaded:demo": "1", "temp:skill:loaded:typed": "1" }]),
  });
  const sets = (["load", "activate", "read"] as const).map((preset) =>
    skillToolset({ ...common, preset, manage: preset === "load" }),
  );
  const tools = [
    ...sets.flatMap((set) => set.tools),
    ...(await (sets[0] as (typeof sets)[0]).loadedTools(loaded)),
  ];
  return { tools: [...new Map(tools.map((tool) => [tool.name, tool])).values()], loaded };
}

/** The input for each tool with which its answer contains hostile characters. */
const CALLS: Readonly<Record<string, JsonObject>> = {
  skill_list: {},
  skill_search: { query: "things" },
  skill_load: { skill: "demo", include_all_docs: true },
  skill_activate: { name: "demo" },
  skill_read: { skill: "demo", path: "docs/guide.md" },
  skill_select_docs: { skill: "demo", docs: [HOSTILE] },
  skill_list_docs: { skill: HOSTILE },
  skill_manage: { action: "delete", name: HOSTILE },
  skill_call: { skill: "typed", parameters: {} },
  run_typed: {},
  skill_run: {
    skill: "demo",
    command: `printf '${PRINTED}'; printf '${PRINTED}' >&2; printf '${PRINTED}' > out/x.txt; printf x > "out/$(printf 'n\\342\\200\\256.txt')"`,
    outputs: { globs: ["out/**"], inline: true },
  },
  workspace_run: { command: `printf '${PRINTED}'` },
  workspace_write: { path: `etc/${HOSTILE}`, content: "x" },
  workspace_read: { path: "out/x.txt" },
  workspace_list: {},
  skill_start: {
    skill: "demo",
    command: `printf '${PRINTED}\\n'; read -r line; printf '${PRINTED}\\n'; read -r line`,
    outputs: { globs: ["out/**"] },
  },
  skill_write: { text: "go" },
  skill_poll: { offset: 0 },
  skill_stop: {},
};

describe("a tool's answer to a model contains no control, direction or invisible characters", () => {
  test("hostile characters are escaped in the answers of all tools", async () => {
    const { tools, loaded } = await setUp();
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
    const call = caller(tools);
    let run: JsonObject = {};
    for (const [name, input] of Object.entries(CALLS)) {
      const isOfRun = ["skill_write", "skill_poll", "skill_stop"].includes(name);
      const result = await call(name, isOfRun ? { ...input, ...run } : input, loaded);
      if (name === "skill_start") run = { run_id: (result.output as { run_id: string }).run_id };
      expect(told(result), name).not.toMatch(RAW);
      expect(told(result), name).toMatch(/\\u\{(?:202e|200b|1b)\}/);
    }
  });

  test("hostile characters are escaped in the refusals of all tools", async () => {
    const { tools, loaded } = await setUp();
    for (const tool of tools) expect(told(await refused(tool, loaded)), tool.name).toContain(SHOWN);
  });
});

async function refused(tool: SkillTool, context: ToolContext): Promise<ToolResult> {
  const result = await tool.execute({ [HOSTILE]: HOSTILE }, context);
  expect(result.isError).toBe(true);
  expect(told(result), tool.name).not.toMatch(RAW);
  return result;
}

/** All texts of the answer and of its diagnostics, unchanged. */
function told({ output, diagnostics }: ToolResult): string {
  const texts: string[] = [];
  JSON.stringify({ output, diagnostics }, (name, value: unknown) => {
    texts.push(name, typeof value === "string" ? value : "");
    return value;
  });
  return texts.join("\n");
}
