import assert from "node:assert/strict";
import { failsWith } from "@skillwright/contracts";
import { type ContentStore, SkillError } from "@skillwright/core";
import { ALPHA, type CachedPromise, textOf } from "./cached-subject.js";
import { countedRepository } from "./counted-repository.js";

export const failingPromises: readonly CachedPromise[] = [
  {
    id: "cached/pinned/digest",
    promise:
      "A version that is a digest is read from the store where the repository fails, and that is told.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository, fail } = countedRepository(ALPHA);
      const { digest, body, manifest } = await cached(repository, { content: store() }).load("alpha");
      fail(true);
      const skills = cached(repository, { content: store() });
      const skill = await skills.load("alpha", { version: digest });
      assert.deepEqual(
        [skill.name, skill.digest, skill.body, skill.manifest],
        ["alpha", digest, body, manifest],
      );
      assert.deepEqual(
        skill.diagnostics.map(({ code, severity }) => [code, severity]),
        [["repository.failed", "warning"]],
      );
      assert.equal(await textOf(skills.open("alpha", "docs/a.md", { version: digest })), "# A\n");
      const read = await skills.reader("alpha", { version: digest });
      assert.equal(await textOf(read("docs/a.md")), "# A\n");
    },
  },
  {
    id: "cached/pinned/refused",
    promise:
      "What is not that skill, not stored, or not kept by a repository that answers, is not read from the store.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository, fail } = countedRepository(ALPHA);
      const skills = cached(repository, { content: store() });
      const { digest } = await skills.load("alpha");
      await failsWith(skills.load("alpha", { version: digest }), "SKILL_NOT_FOUND");
      await failsWith(skills.open("alpha", "SKILL.md", { version: digest }), "SKILL_NOT_FOUND");
      fail(true);
      await failsWith(skills.load("beta", { version: digest }), "BACKEND_FAILED");
      await failsWith(skills.load("alpha", { version: `sha256:${"0".repeat(64)}` }), "BACKEND_FAILED");
      await failsWith(skills.load("alpha", { version: "1" }), "BACKEND_FAILED");
    },
  },
  {
    id: "cached/pinned/version",
    promise:
      "A version is asked for once; with a name other processes find it in the store where the repository fails.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository, asks, fail } = countedRepository(ALPHA, { version: "1" });
      const skills = cached(repository, { content: store(), name: "bucket" });
      const first = await skills.load("alpha", { version: "1" });
      asks();
      assert.deepEqual(await skills.load("alpha", { version: "1" }), first);
      assert.equal(await textOf(skills.open("alpha", "docs/a.md", { version: "1" })), "# A\n");
      assert.deepEqual(asks(), []);
      fail(true);
      const later = cached(repository, { content: store(), name: "bucket" });
      assert.equal((await later.load("alpha", { version: "1" })).digest, first.digest);
      const stranger = cached(repository, { content: store(), name: "other" });
      await failsWith(stranger.load("alpha", { version: "1" }), "BACKEND_FAILED");
      await skills.refresh();
      asks();
      await skills.load("alpha", { version: "1" });
      assert.deepEqual(asks(), ["load alpha"]);
    },
  },
  {
    id: "cached/failing-store",
    promise: "A store that fails costs speed alone: the repository gives everything, and a warning says so.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const failing = async (): Promise<never> => {
        throw new SkillError("BACKEND_FAILED", "No space left.");
      };
      const content: ContentStore = { ...store(), materialize: failing, find: failing };
      const { repository, asks } = countedRepository(ALPHA);
      const skills = cached(repository, { content });
      const { diagnostics, body } = await skills.load("alpha");
      assert.equal(body, "Body of alpha");
      assert.deepEqual(
        diagnostics.map(({ code, severity }) => [code, severity]),
        [["cache.failed", "warning"]],
      );
      assert.match(diagnostics[0]?.message ?? "", /alpha.*BACKEND_FAILED.*No space left/);
      asks();
      assert.deepEqual((await skills.load("alpha")).diagnostics, diagnostics);
      assert.deepEqual(asks(), ["list"]);
      assert.equal(await textOf(skills.open("alpha", "docs/a.md")), "# A\n");
      assert.equal(await textOf((await skills.reader("alpha"))("docs/a.md")), "# A\n");
    },
  },
  {
    id: "cached/torn",
    promise: "Files that differ from the manifest are not stored, and a diagnostic reports it.",
    seed: undefined,
    run: async ({ store, cached }) => {
      const { repository } = countedRepository(ALPHA);
      const content = store();
      const torn = { ...repository, reader: async () => async () => new Uint8Array([1]) };
      const { digest, diagnostics } = await cached(torn, { content }).load("alpha");
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ["cache.failed"],
      );
      assert.equal(await store().find({ digest }, { owner: "w" }), undefined);
    },
  },
];
