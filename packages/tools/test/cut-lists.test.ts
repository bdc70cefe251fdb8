import type { JsonValue, SkillTool } from "@skillwright/core";
import { expect, test } from "vitest";
import { withResultBudget } from "../src/result-budget.js";
import { callContext } from "./example-skills.js";

async function within(output: JsonValue, budget: number): Promise<JsonValue> {
  const result = { output, isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
  const tool = { name: "t", execute: async () => result } as unknown as SkillTool;
  return (await withResultBudget(tool, budget).execute({}, callContext())).output;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test("the longest list is halved until everything fits, and the fields beside it stay", async () => {
  const output = { name: "n", few: [1, 2], deep: [{ many: numbers(4000) }, "last"] };
  const cut = (await within(output, 8192)) as typeof output & { cut: string[] };
  expect(cut).toMatchObject({ name: "n", few: [1, 2], deep: [{ many: numbers(1000) }, "last"] });
  expect(cut.cut.slice(0, 2)).toEqual([
    "deep.0.many: the first 2000 of 4000 are given.",
    "deep.0.many: the first 1000 of 2000 are given.",
  ]);
});

test("a result that is a list itself becomes a field", async () => {
  expect(await within(numbers(4000), 8192)).toMatchObject({
    result: numbers(1000),
    cut: expect.arrayContaining(["The list: the first 1000 of 2000 are given."]),
  });
});
