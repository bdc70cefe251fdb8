import assert from "node:assert/strict";
import type { SkillRepository } from "@skillwright/core";
import { type SkillSeed, skillMarkdown } from "../seeds.js";
import type { RepositoryPromise } from "./subject.js";

const BEFORE = { one: { "SKILL.md": skillMarkdown("one"), "data.txt": "first" } };

export const changePromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/change/mark-stays",
    promise: "The change mark stays the same while nothing changes.",
    seed: BEFORE,
    run: async ({ repository }) => {
      const before = await mark(repository);
      assert.equal(await mark(repository), before);
      assert.equal((await repository.load("one")).changeMark, before);
      await repository.refresh();
      assert.equal(await mark(repository), before);
    },
  },
  {
    id: "skill-repository/change/mark-moves",
    promise: "The change mark changes when a file of the skill is changed, added or removed.",
    seed: BEFORE,
    run: async ({ repository, change }) => {
      const skillFile = skillMarkdown("one");
      const changes: readonly SkillSeed[string][] = [
        { "SKILL.md": skillFile, "data.txt": "second, longer" },
        { "SKILL.md": skillFile, "data.txt": "second, longer", "more.txt": "" },
        { "SKILL.md": skillFile, "more.txt": "" },
      ];
      let before = await mark(repository);
      for (const files of changes) {
        await change({ one: files });
        await repository.refresh();
        const after = await mark(repository);
        assert.notEqual(after, before);
        before = after;
      }
    },
  },
  {
    id: "skill-repository/change/edited",
    promise: "A listing after refresh() shows an edited SKILL.md.",
    seed: BEFORE,
    run: async ({ repository, change }) => {
      await repository.list();
      await change({ one: { "SKILL.md": skillMarkdown("one", { description: "Rewritten." }) } });
      await repository.refresh();
      assert.equal((await repository.list()).skills[0]?.description, "Rewritten.");
    },
  },
  {
    id: "skill-repository/change/added",
    promise: "A listing after refresh() contains an added skill.",
    seed: BEFORE,
    run: async ({ repository, change }) => {
      await repository.list();
      await change({ ...BEFORE, two: { "SKILL.md": skillMarkdown("two") } });
      await repository.refresh();
      assert.deepEqual(await names(repository), ["one", "two"]);
    },
  },
  {
    id: "skill-repository/change/removed",
    promise: "A listing after refresh() no longer contains a removed skill, and contains all others.",
    seed: { ...BEFORE, two: { "SKILL.md": skillMarkdown("two") } },
    run: async ({ repository, change }) => {
      await repository.list();
      await change({ two: { "SKILL.md": skillMarkdown("two") } });
      await repository.refresh();
      assert.deepEqual(await names(repository), ["two"]);
    },
  },
  {
    id: "skill-repository/change/loaded",
    promise: "load() after refresh() returns the current files.",
    seed: BEFORE,
    run: async ({ repository, change }) => {
      const before = await repository.load("one");
      await change({ one: { "SKILL.md": skillMarkdown("one", { body: "New body." }), "data.txt": "2" } });
      await repository.refresh();
      const after = await repository.load("one");
      assert.equal(after.body, "New body.");
      assert.notEqual(after.digest, before.digest);
    },
  },
];

async function mark(repository: SkillRepository): Promise<string> {
  const { skills } = await repository.list();
  assert.equal(skills.length, 1);
  return skills[0]?.changeMark ?? "";
}

async function names(repository: SkillRepository): Promise<string[]> {
  return (await repository.list()).skills.map(({ name }) => name);
}
