import { memoryRepository } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { skillBox } from "../src/index.js";

const recorded = recordedSpans();
const SKILL = { "SKILL.md": "---\nname: one\ndescription: Sings the-secret-song.\n---\nBody.\n" };

function box() {
  return skillBox({ own: memoryRepository({ skills: { one: SKILL } }) });
}

test("a catalogue has a span for each snapshot, load, open and search, as parents of those of its repositories", async () => {
  const skills = box();
  await skills.snapshot();
  await skills.load("one");
  await skills.open("one", "SKILL.md");
  expect(await skills.search("the-secret-song")).toHaveLength(1);
  const own = recorded.ended().filter(([name]) => name.startsWith("catalog."));
  expect(own).toEqual([
    ["catalog.snapshot", { skills: 1, broken: 0 }],
    ["catalog.load", { skill: "one", files: 1 }],
    ["catalog.open", {}],
    ["catalog.search", { hits: 1 }],
  ]);
  expect(recorded.tree()).toContain("repository.list < catalog.snapshot");
  expect(recorded.tree()).toContain("repository.load < catalog.load");
  expect(recorded.text()).not.toContain("secret");
});

test("a change through the catalogue has a span, and so has a call of a narrower view", async () => {
  const skills = box();
  const content = "---\nname: two\ndescription: Two.\n---\nBody.\n";
  await skills.upload("own", [{ path: "SKILL.md", content }]);
  await skills.delete("own", "two");
  await skills.view({ skills: ["one"] }).load("one");
  const own = recorded.ended().filter(([name]) => /^catalog\.(upload|delete|load)$/.test(name));
  expect(own).toEqual([
    ["catalog.upload", { skill: "two", files: 1 }],
    ["catalog.delete", {}],
    ["catalog.load", { skill: "one", files: 1 }],
  ]);
});
