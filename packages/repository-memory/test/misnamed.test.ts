import { expect, test } from "vitest";
import { memoryRepository } from "../src/index.js";

const text = "---\nname: a\ndescription: Does a.\n---\nDo it.\n";

test("a folder whose file is called skill.md is no skill, and told", async () => {
  const repository = memoryRepository({ skills: { a: { "skill.md": text } } });
  const { skills, broken } = await repository.list();
  expect(skills).toEqual([]);
  expect(broken).toMatchObject([
    { path: "a", diagnostics: [{ code: "skill-file.name", path: "a/skill.md" }] },
  ]);
});

test("beside a SKILL.md it is a file like any other", async () => {
  const repository = memoryRepository({ skills: { a: { "SKILL.md": text, "skill.md": "x" } } });
  const { skills, broken } = await repository.list();
  expect([skills.length, broken]).toEqual([1, []]);
});
