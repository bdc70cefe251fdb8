import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { WritableSkillRepository } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import type { WritableRepositoryPromise } from "./subject.js";
import { stateOf, upload } from "./uploads.js";

const NO_SKILLS = ["", ".", "..", "../csv", "cs", "csv-", "/", "csv-analyst/scripts"];

export const atomicityPromises: readonly WritableRepositoryPromise[] = [
  {
    id: "writable-skill-repository/atomic/reading",
    promise:
      "While a skill is being replaced, a reader sees either the old or the new skill: never a mix, never nothing.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const digests = new Set([(await repository.load("csv-analyst")).digest]);
      let done = false;
      const writing = writes(repository, digests).finally(() => {
        done = true;
      });
      try {
        while (!done) {
          const { skills } = await repository.list();
          assert.deepEqual(
            skills.map(({ name }) => name),
            ["csv", "csv-analyst"],
          );
          const { digest, manifest } = await repository.load("csv-analyst");
          // A load may finish before the upload that it saw. Its own files must still be of one generation.
          const generations = new Set(manifest.files.flatMap(({ path }) => /^(\d+)-/.exec(path)?.[1] ?? []));
          assert(
            generations.size <= 1,
            `The skill ${digest} contains files of several uploads: ${[...generations].join(" and ")}.`,
          );
          // A reader without I/O would never give the writer's files and sockets a turn.
          await setImmediate();
        }
      } finally {
        await writing;
      }
      assert(digests.has((await repository.load("csv-analyst")).digest));
    },
  },
  {
    id: "writable-skill-repository/atomic/writing",
    promise: "Concurrent uploads of one skill leave the complete skill of one of them.",
    seed: {},
    run: async ({ repository }) => {
      const writers = Array.from({ length: 12 }, (_, index) => index);
      const results = await Promise.allSettled(
        writers.map((index) => repository.upload(upload("one", { [`${index}.md`]: `by ${index}` }))),
      );
      const stored = results.flatMap((result) =>
        result.status === "fulfilled" ? [result.value.digest] : [],
      );
      assert.equal((await repository.list()).skills.length, 1);
      assert(
        stored.includes((await repository.load("one")).digest),
        "The stored skill matches none of the uploads.",
      );
    },
  },
  {
    id: "writable-skill-repository/atomic/refuse",
    promise: "Exactly one of several concurrent uploads with `existing: refuse` is stored.",
    seed: {},
    run: async ({ repository }) => {
      const writers = Array.from({ length: 8 }, (_, index) => upload("one", { [`${index}.md`]: "" }));
      const results = await Promise.allSettled(
        writers.map((files) => repository.upload(files, { existing: "refuse" })),
      );
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    },
  },
  {
    id: "writable-skill-repository/delete/removed",
    promise: "delete() removes a skill and returns true, then false.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      assert.equal(await repository.delete("csv-analyst"), true);
      assert.equal(await repository.delete("csv-analyst"), false);
      await failsWith(repository.load("csv-analyst"), "SKILL_NOT_FOUND");
      const { skills } = await repository.list();
      assert.deepEqual(
        skills.map(({ name }) => name),
        ["csv"],
      );
    },
  },
  {
    id: "writable-skill-repository/delete/missing",
    promise:
      "Deleting an unknown name returns false and removes nothing, even if the name is similar to an existing one.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const before = await stateOf(repository);
      for (const name of NO_SKILLS) assert.equal(await repository.delete(name), false, JSON.stringify(name));
      assert.deepEqual(await stateOf(repository), before);
    },
  },
  {
    id: "writable-skill-repository/delete/again",
    promise: "A deleted skill can be uploaded again.",
    seed: { again: { "SKILL.md": skillMarkdown("again"), "old.md": "old" } },
    run: async ({ repository }) => {
      await repository.delete("again");
      await repository.upload(upload("again"), { existing: "refuse" });
      assert.equal((await repository.load("again")).manifest.files.length, 1);
    },
  },
  endsWhenAborted("writable-skill-repository/upload/aborted", {}, ({ repository }, signal) =>
    repository.upload(upload("late"), { signal }),
  ),
  endsWhenAborted("writable-skill-repository/delete/aborted", TWO_SKILLS, ({ repository }, signal) =>
    repository.delete("csv", { signal }),
  ),
];

async function writes(repository: WritableSkillRepository, digests: Set<string>): Promise<void> {
  for (let round = 0; round < 12; round++) {
    const files = Object.fromEntries(["a", "b", "c"].map((name) => [`${round}-${name}.md`, name]));
    digests.add((await repository.upload(upload("csv-analyst", files))).digest);
  }
}
