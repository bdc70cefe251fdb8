import { expect, test } from "vitest";
import { memoryRepository } from "../src/index.js";

const text = "---\nname: a\ndescription: Does a.\n---\nDo it.\n";

test("a directory whose file is called skill.md is not a skill, and is reported", async () => {
  const repository = memoryRepository({ skills: { a: { "skill.md": text } } });
  const { skills, broken } = await repository.list();
  expect(skills).toEqual([]);
  expect(broken).toMatchObject([
    { path: "a", diagnostics: [{ code: "skill-file.name", path: "a/skill.md" }] },
  ]);
});

test("a skill.md beside a SKILL.md is an ordinary file", async () => {
  const repository = memoryRepository({ skills: { a: { "SKILL.md": text, "skill.md": "x" } } });
  const { skills, broken } = await repository.list();
  expect([skills.length, broken]).toEqual([1, []]);
});
