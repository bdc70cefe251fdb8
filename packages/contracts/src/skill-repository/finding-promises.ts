import assert from "node:assert/strict";
import { skillMarkdown } from "../seeds.js";
import type { RepositoryPromise } from "./subject.js";

/** Promises of `find`. They pass for a repository without that method. */
export const findingPromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/find/as-listed",
    promise:
      "find() returns the listed summary by name, or else by path; it returns undefined for unknown names and broken skills.",
    seed: {
      broken: { "SKILL.md": "no header" },
      one: { "SKILL.md": skillMarkdown("two") },
      two: { "SKILL.md": skillMarkdown("one") },
      "group/three": { "SKILL.md": skillMarkdown("elsewhere"), "note.txt": "note" },
    },
    run: async ({ repository }) => {
      const { skills } = await repository.list();
      if (!repository.find) return;
      for (const listed of skills) assert.deepEqual(await repository.find(listed.name), listed);
      const elsewhere = skills.find(({ path }) => path === "group/three");
      assert.deepEqual(await repository.find("group/three"), elsewhere);
      for (const name of ["broken", "no-such-skill", ""])
        assert.equal(await repository.find(name), undefined);
    },
  },
  {
    id: "skill-repository/find/changed",
    promise:
      "After refresh(), find() agrees with load(), and no longer finds a skill that was removed or renamed.",
    seed: {
      one: { "SKILL.md": skillMarkdown("one"), "a.txt": "a" },
      two: { "SKILL.md": skillMarkdown("two") },
    },
    run: async ({ repository, change }) => {
      const before = (await repository.list()).skills;
      if (!repository.find) return;
      const renamed = { two: { "SKILL.md": skillMarkdown("other") } };
      await change({ one: { "SKILL.md": skillMarkdown("one"), "a.txt": "another" }, ...renamed });
      await repository.refresh();
      const found = await repository.find("one");
      assert.notEqual(found?.changeMark, before[0]?.changeMark);
      assert.equal(found?.changeMark, (await repository.load("one")).changeMark);
      assert.notEqual((await repository.find("two"))?.name, "two");
      await change(renamed);
      await repository.refresh();
      assert.equal(await repository.find("one"), undefined);
    },
  },
];
