import { expect, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { skillTools } from "../src/index.js";
import { caller, exampleCatalog } from "./example-skills.js";

const recorded = recordedSpans();

test("each call of a tool has a span with the tool's name, above those of the catalogue", async () => {
  const call = caller(skillTools({ skills: exampleCatalog() }));
  await call("skill_load", { skill: "greeter" });
  const [name, attributes] = recorded.ended().at(-1) ?? [];
  expect([name, attributes]).toEqual(["tool.call", { tool: "skill_load", isError: false }]);
  expect(recorded.tree()).toContain("catalog.load < tool.call");
});

test("a refusal is recorded by its code, and nothing of the input is recorded", async () => {
  const call = caller(skillTools({ skills: exampleCatalog() }));
  await call("skill_load", { skill: "the-secret-skill" });
  const [name, attributes] = recorded.ended().at(-1) ?? [];
  expect([name, attributes]).toEqual([
    "tool.call",
    { tool: "skill_load", isError: true, "error.type": "SKILL_NOT_FOUND" },
  ]);
  expect(recorded.text()).not.toContain("secret");
});
