import { expect } from "vitest";
import type { SkillTool } from "../../../packages/core/src/index.js";
import { skillToolset, stopRepeatedFailures } from "../../../packages/tools/src/index.js";
import { callContext, caller, skillFile } from "../../../packages/tools/test/example-skills.js";
import { fakeWorkspaces } from "../fake-workspaces.js";
import { KIB, limitsOf } from "../limit.js";

import { box, isAllowed, isMost, output } from "../one-skill.js";

export const runningToolLimits = limitsOf("tools", [
  {
    option: "`skill_run`: shown of each stream",
    kind: "limit",
    value: 16 * KIB,
    unit: "bytes",
    documented: ["README.md", "At most 16 KiB of each of `stdout` and `stderr` are shown"],
    source: ["src/run/run-answer.ts", "MAX_STREAM_BYTES = 16 * 1024"],
    probe: async (value) => {
      const shown = async (length: number) => {
        const stdout = { text: "x".repeat(length), totalBytes: length, truncated: false };
        const { workspaces } = fakeWorkspaces({ result: { stdout } });
        const answer = await output("skill_run", { skill: "one", command: "true" }, {}, { workspaces });
        return String(answer["stdout"]).replace(/[^x]/g, "").length;
      };
      expect(await shown(value)).toBe(value);
      const cut = await shown(4 * value);
      expect(cut).toBeLessThanOrEqual(value);
      expect(cut).toBeGreaterThan(value / 2);
    },
  },
  {
    option: "`skill_run`: warnings",
    kind: "limit",
    value: 20,
    unit: "warnings",
    documented: ["src/run/run-warnings.ts", "each once, at most 20"],
    source: ["src/run/run-warnings.ts", "MAX_WARNINGS = 20"],
    probe: async (value) => {
      const diagnostics = Array.from({ length: 3 * value }, (_, n) => ({
        ...{ code: "output.cut", severity: "warning" as const, message: `Number ${n}.`, hint: "None." },
      }));
      const { workspaces } = fakeWorkspaces({ result: { diagnostics } });
      const answer = await output("skill_run", { skill: "one", command: "true" }, {}, { workspaces });
      expect((answer["warnings"] as string[]).filter((text) => text.startsWith("Number"))).toHaveLength(
        value,
      );
    },
  },
  {
    option: "`skill_call`: value of a variable",
    kind: "limit",
    value: 2 * KIB,
    unit: "bytes",
    documented: ["src/executable/executable-run.ts", "if it has at most 2 KiB"],
    source: ["src/executable/executable-run.ts", "MAX_VARIABLE_BYTES = 2048"],
    probe: async (value) => {
      const header = "executable: { entry: 'true' }\nparameters:\n  text: { type: string }\n";
      const skills = box({ one: { "SKILL.md": skillFile("one", header) } });
      const { workspaces, runs } = fakeWorkspaces({});
      const toolset = skillToolset({ skills, workspaces, calls: true });
      const context = callContext({ state: { "temp:skill:loaded:one": "1" } });
      const call = caller(toolset.tools);
      for (const length of [value, value + 1])
        await call("skill_call", { skill: "one", parameters: { text: "x".repeat(length) } }, context);
      expect(runs.map(({ env }) => env?.["SKILL_PARAM_TEXT"] !== undefined)).toEqual([true, false]);
    },
  },
  {
    option: "`workspace_read`: `max_bytes`",
    kind: "default",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", "`max_bytes?` (64 KiB, at most 256 KiB)"],
    source: ["src/files/workspace-read.ts", "DEFAULT_BYTES = 64 * KIB"],
    probe: async (value) => {
      const { workspaces } = fakeWorkspaces({ content: "x".repeat(2 * value) });
      const answer = await output("workspace_read", { path: "out/a" }, {}, { workspaces });
      expect(answer["next_offset"]).toBe(value);
    },
  },
  {
    option: "`workspace_read`: `max_bytes`, most",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: ["README.md", "`max_bytes?` (64 KiB, at most 256 KiB)"],
    source: ["src/files/workspace-read.ts", "MAX_BYTES = 256 * KIB"],
    probe: async (value) => await isMost("workspace_read", "max_bytes", value, { path: "out/a" }),
  },
  {
    option: "`workspace_list`: files",
    kind: "limit",
    value: 200,
    unit: "files",
    documented: ["README.md", "files with sizes, 200 at most"],
    source: ["src/files/workspace-list.ts", "MAX_FILES = 200"],
    probe: async (value) => {
      const files = Array.from({ length: 2 * value }, (_, n) => ({
        path: `out/${n}`,
        size: 1,
        mimeType: "text/plain",
      }));
      const answer = await output("workspace_list", {}, {}, fakeWorkspaces({ files }));
      expect(answer).toMatchObject({ files: { length: value }, more: value });
    },
  },
  {
    option: "`commandPolicy`: command",
    kind: "limit",
    value: 16 * KIB,
    unit: "bytes",
    documented: ["README.md", "At most 16 KiB and 32 programs."],
    source: ["src/policy/read-command.ts", "MAX_COMMAND_BYTES = 16 * 1024"],
    probe: async (value) => {
      const allowed = async (length: number) => await isAllowed("echo ".padEnd(length, "x"));
      expect([await allowed(value), await allowed(value + 1)]).toEqual([true, false]);
    },
  },
  {
    option: "`commandPolicy`: programs of a command",
    kind: "limit",
    value: 32,
    unit: "programs",
    documented: ["README.md", "At most 16 KiB and 32 programs."],
    source: ["src/policy/read-command.ts", "MAX_SEGMENTS = 32"],
    probe: async (value) => {
      const allowed = async (count: number) => await isAllowed(Array(count).fill("echo x").join("; "));
      expect([await allowed(value), await allowed(value + 1)]).toEqual([true, false]);
    },
  },
  {
    option: "`stopRepeatedFailures`: `limit`",
    kind: "default",
    value: 3,
    unit: "refusals",
    documented: [
      "src/repeated-failures.ts",
      "may be refused before it is no longer executed. Defaults to 3.",
    ],
    source: ["src/repeated-failures.ts", "DEFAULT_LIMIT = 3"],
    probe: async (value) => {
      let made = 0;
      const failing: SkillTool = {
        ...{ name: "failing", description: "Fails.", inputSchema: { type: "object" }, parallel: true },
        async execute() {
          made++;
          return {
            output: { error: { code: "X", message: "No.", retry: true } },
            isError: true,
            stateDelta: {},
            artifacts: [],
            diagnostics: [],
          };
        },
      };
      const call = caller(stopRepeatedFailures([failing]));
      for (let n = 0; n < 4 * value; n++) await call("failing", {});
      expect(made).toBe(value);
    },
  },
  {
    option: "tool of an executable skill: name",
    kind: "limit",
    value: 64,
    unit: "characters",
    documented: ["/packages/core/src/tool/skill-tool.ts", "Letters, digits and `_`, at most 64."],
    source: ["src/executable/loaded-skill-tools.ts", "MAX_NAME = 64"],
    probe: async (value) => {
      const name = "n".repeat(64);
      const skills = box({
        [name]: { "SKILL.md": skillFile(name, "executable: { entry: 'true' }\nparameters: {}\n") },
      });
      const toolset = skillToolset({ skills, workspaces: fakeWorkspaces({}).workspaces });
      const context = callContext({ state: { [`temp:skill:loaded:${name}`]: "1" } });
      const made = (await toolset.loadedTools(context)).find((tool) => tool.name.startsWith("run_n"));
      expect(made?.name).toHaveLength(value);
    },
  },
]);
