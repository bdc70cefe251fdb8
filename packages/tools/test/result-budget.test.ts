import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { describe, expect, test } from "vitest";
import { caller, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const BUDGET = 64 * 1024;

async function setUp(options: object = {}) {
  const skills = skillBox({
    own: memoryRepository({
      skills: {
        demo: {
          "SKILL.md": skillFile("demo", "", "€".repeat(200_000)),
          "docs/long.md": "x".repeat(300_000),
          "docs/zero.md": "a\u200b".repeat(100_000),
        },
      },
    }),
  });
  const approval = { request: async () => ({ approved: true }) } as never;
  const tools = skillTools({ skills, workspaces: await realWorkspaces(skills), approval, ...options });
  const reading = skillTools({ skills, preset: "read", ...options });
  return { call: caller(tools), read: caller(reading) };
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;

describe("a result has at most 65,536 characters", () => {
  test("where a run inlines many files, and reports what was cut and how to read the rest", async () => {
    const { call } = await setUp();
    const command =
      'for n in 1 2 3; do head -c 200000 /dev/zero | tr "\\0" x > out/$n.txt; done; echo small > out/s.txt';
    const { output, diagnostics } = await call("workspace_run", {
      command,
      outputs: { globs: ["out/**"], inline: true },
    });
    expect(sizeOf(output)).toBeLessThanOrEqual(BUDGET);
    const shown = output as { cut: string[]; output_files: { name: string; content: string }[] };
    expect(shown.output_files.map(({ name }) => name)).toEqual([
      "out/1.txt",
      "out/2.txt",
      "out/3.txt",
      "out/s.txt",
    ]);
    expect(shown.output_files[3]?.content).toBe("small\n");
    expect(shown.output_files[0]?.content.length).toBeGreaterThan(15_000);
    expect(shown.cut[0]).toMatch(/^output_files\.0\.content: the first \d+ of \d+ characters are given\.$/);
    expect(shown.cut.at(-1)).toContain("workspace_read");
    expect(diagnostics.map(({ code }) => code)).toContain("result.cut");
  });

  test("where the instructions of a skill are longer", async () => {
    const { call } = await setUp();
    const { output } = await call("skill_load", { skill: "demo" });
    expect(sizeOf(output)).toBeLessThanOrEqual(BUDGET);
    expect(output).toMatch(
      /^<loaded_skill name="demo"[\s\S]*€\n\[The text: the first \d+ of \d+ characters are given\./,
    );
  });

  test.each(["long", "zero"])(
    "where a file is read in parts, and next_offset skips nothing (%s)",
    async (name) => {
      const { read } = await setUp();
      let whole = "";
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { output } = await read("skill_read", {
          skill: "demo",
          path: `docs/${name}.md`,
          offset,
          max_bytes: 262_144,
        });
        expect(sizeOf(output)).toBeLessThanOrEqual(BUDGET);
        expect(output).not.toHaveProperty("cut");
        const part = output as { content: string; next_offset?: number };
        whole += part.content;
        offset = part.next_offset;
      }
      expect(whole).toBe(name === "long" ? "x".repeat(300_000) : "a\\u{200b}".repeat(100_000));
    },
  );

  test("where a list is long", async () => {
    const files = Array.from({ length: 500 }, (_, index) => [`${"n".repeat(200)}-${index}.md`, "x"]);
    const skill = { "SKILL.md": skillFile("many"), ...Object.fromEntries(files) };
    const skills = skillBox({ own: memoryRepository({ skills: { many: skill } }) });
    const { output } = await caller(skillTools({ skills }))("skill_list_docs", { skill: "many" });
    expect(sizeOf(output)).toBeLessThanOrEqual(BUDGET);
    const shown = output as { result: string[]; cut: string[] };
    expect(shown.result).toHaveLength(250);
    expect(shown.cut[0]).toBe("The list: the first 250 of 500 are given.");
  });
});

test("the application can set another budget, the model cannot", async () => {
  const { call } = await setUp({ maxResultCharacters: 5000 });
  const { output } = await call("workspace_run", { command: "head -c 15000 /dev/zero | tr '\\0' x" });
  expect(sizeOf(output)).toBeLessThanOrEqual(5000);
  for (const maxResultCharacters of [4095, 5000.5, Number.NaN])
    expect(() => skillTools({ skills: skillBox({}), maxResultCharacters })).toThrow(/maxResultCharacters/);
});
