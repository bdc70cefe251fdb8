import assert from "node:assert/strict";
import type { RestorableSkillRepository } from "@skillwright/core";
import { readText } from "@skillwright/core";
import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import { failsWith } from "../fails-with.js";
import { isIsoTime } from "../is-iso-time.js";
import { type SkillSeed, skillMarkdown } from "../seeds.js";
import type { TestFunction } from "../test-function.js";
import { endsWhenAborted } from "../traits/aborted.js";
import type { RestorableRepositoryPromise, RestorableRepositorySubject } from "./subject.js";
import { upload } from "./uploads.js";

/** What every `RestorableSkillRepository` promises beyond `writableSkillRepositoryPromises`. */
export const restorableSkillRepositoryPromises: readonly RestorableRepositoryPromise[] = [
  {
    id: "restorable-skill-repository/restore/whole",
    promise:
      "restore() brings a deleted skill back byte for byte, at its path, with its executable bits (EDIT-09).",
    seed: {},
    run: async ({ repository }) => {
      const script = { path: "scripts/run.sh", content: "echo", executable: true };
      const before = await repository.upload([...upload("one"), script]);
      await repository.delete("one");
      await failsWith(repository.load("one"), "SKILL_NOT_FOUND");
      const restored = await repository.restore("one");
      const loaded = await repository.load("one");
      for (const { path, digest } of [restored, loaded])
        assert.deepEqual([path, digest], [before.path, before.digest]);
      assert.equal(await readText(await repository.open("one", "scripts/run.sh"), 10), "echo");
      assert.deepEqual(await namesOf(repository), ["one"]);
    },
  },
  {
    id: "restorable-skill-repository/deleted/told",
    promise:
      "deleted() returns deleted skills with path and time, the most recent first, and no longer once they are restored.",
    seed: {},
    run: async ({ repository }) => {
      assert.deepEqual(await repository.deleted(), []);
      for (const name of ["one", "two"]) await publish(repository, name);
      for (const name of ["one", "two"]) await repository.delete(name);
      const deleted = await repository.deleted();
      assert.deepEqual(
        deleted.map(({ name }) => name),
        ["two", "one"],
      );
      for (const { path, deletedAt } of deleted) assert(path.length > 0 && isIsoTime(deletedAt), deletedAt);
      await repository.restore("two");
      assert.deepEqual(
        (await repository.deleted()).map(({ name }) => name),
        ["one"],
      );
    },
  },
  {
    id: "restorable-skill-repository/restore/last",
    promise: "restore() restores the most recent deletion of a name, or the one at the given time.",
    seed: {},
    run: async ({ repository }) => {
      for (const body of ["first", "second", "third"]) {
        await publish(repository, "one", body);
        await repository.delete("one");
      }
      const times = (await repository.deleted()).map(({ deletedAt }) => deletedAt);
      assert.equal(new Set(times).size, 3);
      assert.equal((await repository.restore("one")).body, "third");
      await repository.delete("one");
      const oldest = times.at(-1);
      assert.equal((await repository.restore("one", { deletedAt: oldest })).body, "first");
    },
  },
  {
    id: "restorable-skill-repository/restore/unknown",
    promise:
      "restore() fails with SKILL_NOT_FOUND if no skill of that name, or none at that time, was deleted.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "one");
      await repository.delete("one");
      for (const name of ["two", "on", "../one", ""])
        await failsWith(repository.restore(name), "SKILL_NOT_FOUND");
      const deletedAt = new Date(0).toISOString();
      await failsWith(repository.restore("one", { deletedAt }), "SKILL_NOT_FOUND");
    },
  },
  {
    id: "restorable-skill-repository/restore/exists",
    promise:
      "If a skill of that name exists again, restore() leaves it as it is, and the deleted one can still be restored.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "one", "old");
      await repository.delete("one");
      await publish(repository, "one", "new");
      await failsWith(repository.restore("one"), "SKILL_EXISTS");
      assert.equal((await repository.load("one")).body, "new");
      assert.equal((await repository.deleted()).length, 1);
    },
  },
  endsWhenAborted("restorable-skill-repository/restore/aborted", {}, ({ repository }, signal) =>
    repository.restore("one", { signal }),
  ),
  endsWhenAborted("restorable-skill-repository/deleted/aborted", {}, ({ repository }, signal) =>
    repository.deleted({ signal }),
  ),
];

/** Registers one test for each promise of a restorable repository. Run the other suites as well. */
export function testRestorableSkillRepository(
  test: TestFunction,
  create: CreateSubject<RestorableRepositorySubject, SkillSeed>,
  options: ContractOptions = {},
): void {
  testContract(test, restorableSkillRepositoryPromises, create, options);
}

async function publish(repository: RestorableSkillRepository, name: string, body = name): Promise<void> {
  await repository.upload(upload(name, { "SKILL.md": skillMarkdown(name, { body }) }));
}

async function namesOf(repository: RestorableSkillRepository): Promise<string[]> {
  return (await repository.list()).skills.map(({ name }) => name);
}
