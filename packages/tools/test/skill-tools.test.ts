import type { Workspaces } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { exampleCatalog } from "./example-skills.js";

const skills = exampleCatalog();
const workspaces = {} as Workspaces;

describe("the tools", () => {
  test("without workspaces there are only the knowledge tools (TOOL-03)", () => {
    expect(skillTools({ skills }).map(({ name }) => name)).toEqual([
      "skill_list",
      "skill_load",
      "skill_select_docs",
      "skill_list_docs",
    ]);
  });

  test("with workspaces all nine exist, and those that change nothing may run in parallel", () => {
    const parallel = skillTools({ skills, workspaces }).map((tool) => [tool.name, tool.parallel]);
    expect(Object.fromEntries(parallel)).toEqual({
      skill_list: true,
      skill_load: true,
      skill_select_docs: true,
      skill_list_docs: true,
      skill_run: false,
      workspace_read: true,
      workspace_write: false,
      workspace_list: true,
      workspace_run: false,
    });
  });

  const everything = {
    skills,
    workspaces: { start: () => undefined } as unknown as Workspaces,
    search: true,
    manage: true,
    calls: true,
    interactive: true,
  };
  const all = (["load", "activate", "read"] as const).flatMap((preset) =>
    skillTools({ ...everything, preset }),
  );
  const each = new Map(all.map((tool) => [JSON.stringify([tool.name, tool.inputSchema]), tool]));

  test.each([...each.values()].map((tool) => [tool.name, tool] as const))(
    "%s has a plain JSON Schema with a description for every field, and is short",
    (_name, { description, inputSchema }) => {
      expect(JSON.parse(JSON.stringify(inputSchema))).toEqual(inputSchema);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      for (const field of Object.values(
        inputSchema["properties"] as Record<string, { description?: string }>,
      ))
        expect(field.description).toMatch(/\w/);
      expect(description.length).toBeLessThan(160);
    },
  );

  test.each(["load", "activate", "read"] as const)("of preset %s have unique names", (preset) => {
    const names = skillTools({ ...everything, preset }).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z_]{1,64}$/);
  });

  test("skill_run has the documented fields", () => {
    const schema = skillTools({ skills, workspaces }).find(({ name }) => name === "skill_run")?.inputSchema;
    const properties = schema?.["properties"] as Record<string, { properties?: object; items?: object }>;
    expect(Object.keys(properties).sort()).toEqual(
      [
        [
          "artifact_prefix",
          "command",
          "cwd",
          "editor_text",
          "env",
          "inputs",
          "omit_inline_content",
          "output_files",
          "outputs",
        ],
        ["save_as_artifacts", "skill", "stdin", "timeout"],
      ].flat(),
    );
    expect(schema?.["required"]).toEqual(["skill", "command"]);
    expect(Object.keys(properties["outputs"]?.properties ?? {})).toEqual([
      "globs",
      "inline",
      "save",
      "name_template",
      "max_files",
      "max_file_bytes",
      "max_total_bytes",
    ]);
    expect(properties["inputs"]?.items).toMatchObject({
      properties: { from: {}, to: {}, mode: { enum: ["copy", "link"] } },
      required: ["from"],
    });
  });

  test.each([{ interactive: true }, { interactive: { maxRuns: 1 } }, { calls: true }])(
    "%j without workspaces is refused with what is missing",
    (options) => {
      const make = () => skillTools({ skills, ...options });
      expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
      expect(make).toThrow(`\`${Object.keys(options)[0]}\` needs \`workspaces\``);
      expect(() => skillTools({ skills, interactive: false, calls: false })).not.toThrow();
    },
  );

  test("a value that is not a catalogue is refused", () => {
    expect(() => skillTools({ skills: {} as never })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
