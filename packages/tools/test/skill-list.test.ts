import { SKILL_STATE_KEYS } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { expect, test } from "vitest";
import { callContext, caller, exampleCatalog, refusalOf, skillFile } from "./example-skills.js";

const call = caller(skillTools({ skills: exampleCatalog() }));

test("lists name, description and source, but not skills that only people may start", async () => {
  expect((await call("skill_list", {})).output).toEqual({
    skills: [
      { name: "counter", description: "Does counter things.", source: "own" },
      { name: "greeter", description: "Does greeter things.", source: "own" },
    ],
  });
});

test("a skill that a person has loaded is listed", async () => {
  const state = { [SKILL_STATE_KEYS.loaded("manual")]: "1" };
  const { output } = await call("skill_list", {}, callContext({ state }));
  expect(JSON.stringify(output)).toContain('"manual"');
});

test.each([
  ["as the standard's clients write it", "disable-model-invocation: true"],
  ["a word for true", "disable-model-invocation: Yes"],
  ["a quoted text", 'disable-model-invocation: "on"'],
  ["a number", "disable-model-invocation: 1"],
  ["underscores", "disable_model_invocation: true"],
  ["camel case", "disableModelInvocation: true"],
  ["moved into the metadata", 'metadata: {"frontmatter.disable-model-invocation": "true"}'],
])(
  "a skill that only people may start is hidden in every accepted spelling: %s (LIST-15)",
  async (_, header) => {
    const files = { hidden: { "SKILL.md": skillFile("hidden", `${header}\n`) } };
    const one = caller(skillTools({ skills: skillBox({ own: memoryRepository({ skills: files }) }) }));
    expect((await one("skill_list", {})).output).toEqual({ skills: [] });
    expect(refusalOf(await one("skill_load", { skill: "hidden" })).code).toBe("SKILL_NOT_FOUND");
  },
);

test.each(["disable-model-invocation: no", "disableModelInvocation: maybe", "metadata: {a: b}"])(
  "any other word hides nothing: %s",
  async (header) => {
    const files = { shown: { "SKILL.md": skillFile("shown", `${header}\n`) } };
    const one = caller(skillTools({ skills: skillBox({ own: memoryRepository({ skills: files }) }) }));
    expect((await one("skill_list", {})).output).toMatchObject({ skills: [{ name: "shown" }] });
  },
);

test("returns matching skills for a query, never hidden ones", async () => {
  expect((await call("skill_list", { query: "greeter" })).output).toMatchObject({
    skills: [{ name: "greeter" }],
  });
  expect((await call("skill_list", { query: "manual" })).output).toEqual({ skills: [] });
});

test("returns 50 at a time, the number of the others and the next offset", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `skill-${index + 100}`);
  const files = Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillFile(name) }]));
  const many = caller(skillTools({ skills: skillBox({ own: memoryRepository({ skills: files }) }) }));
  const first = (await many("skill_list", {})).output as { skills: unknown[] };
  expect(first).toMatchObject({ more: 70, next_offset: 50 });
  expect(first.skills).toHaveLength(50);
  const last = (await many("skill_list", { offset: 100 })).output as { skills: { name: string }[] };
  expect(last.skills.map(({ name }) => name)).toEqual(names.slice(100));
  expect(last).not.toHaveProperty("more");
});

test("a query with more than one page of results can be read to its end", async () => {
  const names = Array.from({ length: 230 }, (_, index) => `skill-${index + 100}`);
  const files = Object.fromEntries(names.map((name) => [name, { "SKILL.md": skillFile(name) }]));
  const many = caller(skillTools({ skills: skillBox({ own: memoryRepository({ skills: files }) }) }));
  const first = (await many("skill_list", { query: "skill", limit: 200 })).output;
  expect(first).toMatchObject({ more: 30, next_offset: 200 });
});

test("a limit out of range is refused with the range", async () => {
  expect(refusalOf(await call("skill_list", { limit: 201 })).message).toContain("1 to 200, default 50");
});
