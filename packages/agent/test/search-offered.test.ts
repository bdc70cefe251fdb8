import { expect, test } from "vitest";
import type { AgentConfig } from "../src/agent/agent-config.js";
import { scriptedModel } from "./scripted-model.js";
import { testAgent } from "./test-agent.js";

/** Too many skills for an overview of 4,000 characters and 32 entries. */
const MANY = 40;

test("search is offered where the overview cannot hold all skills", async () => {
  const { names, found } = await offered(MANY, {}, "skill-37 gardening");
  expect(names).toContain("skill_search");
  expect(found).toContain("skill-37");
});

test("it is not offered where all are listed", async () => {
  expect((await offered(3)).names).not.toContain("skill_search");
});

test("an explicit configuration decides", async () => {
  expect((await offered(MANY, { search: false })).names).not.toContain("skill_search");
  expect((await offered(3, { search: true })).names).toContain("skill_search");
});

/** The tools of the first request, and the result of a search for the words if there is one. */
async function offered(count: number, skillTools: AgentConfig["skillTools"] = {}, query = "") {
  const skills = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`skill-${index}`, skill(index)]),
  );
  const search = { calls: [{ tool: "skill_search", input: { query } }] };
  const { model, prompts, requests } = scriptedModel(
    query === "" ? [{ text: "ok" }] : [search, { text: "ok" }],
  );
  const agent = await testAgent({ model, skills, config: { skillTools } });
  await agent.chat("go");
  return {
    names: (requests[0]?.tools ?? []).map(({ name }) => name),
    found: JSON.stringify(prompts.at(-1)?.at(-1)),
  };
}

function skill(index: number) {
  const description = index === 37 ? "Tells about gardening." : `Does thing ${index}.`;
  return { "SKILL.md": `---\nname: skill-${index}\ndescription: ${description}\n---\nBody.\n` };
}
