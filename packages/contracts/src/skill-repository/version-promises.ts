import assert from "node:assert/strict";
import type { SkillError } from "@skillwright/core";
import { readText } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { isIsoTime } from "../is-iso-time.js";
import { skillMarkdown } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import type { VersionedRepository, VersionedRepositoryPromise } from "./subject.js";
import { upload } from "./uploads.js";

export const versionPromises: readonly VersionedRepositoryPromise[] = [
  {
    id: "versioned-skill-repository/unknown-skill",
    promise: "versions() is empty for an unknown skill.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "first");
      for (const name of ["nobody", "on", "../one", ""])
        assert.deepEqual(await repository.versions(name), [], JSON.stringify(name));
    },
  },
  {
    id: "versioned-skill-repository/newest-first",
    promise:
      "Every upload with changed content creates a version with its digest and time; the newest is listed first.",
    seed: {},
    run: async ({ repository }) => {
      const digests: string[] = [];
      for (const text of ["first", "second", "third"]) {
        digests.unshift(await publish(repository, text));
        const versions = await repository.versions("one");
        assert.deepEqual(
          versions.map(({ digest }) => digest),
          digests,
        );
        assert.equal(new Set(versions.map(({ version }) => version)).size, digests.length);
        for (const { createdAt } of versions) assert(isIsoTime(createdAt), createdAt);
      }
    },
  },
  {
    id: "versioned-skill-repository/newest-by-default",
    promise: "load() and open() without a version use the newest version; the loaded skill names it.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "first");
      const digest = await publish(repository, "second");
      const [newest] = await repository.versions("one");
      const loaded = await repository.load("one");
      assert.deepEqual([loaded.digest, loaded.version], [digest, newest?.version]);
      assert.equal(await note(repository), "second");
    },
  },
  {
    id: "versioned-skill-repository/old-bytes",
    promise: "An old version can be loaded and opened unchanged after a new upload.",
    seed: {},
    run: async ({ repository }) => {
      const digest = await publish(repository, "first", "gone.md");
      await publish(repository, "second", "new.md");
      await holdsFirst(repository, await oldest(repository), digest);
    },
  },
  {
    id: "versioned-skill-repository/after-delete",
    promise:
      "Deleting a skill keeps its versions: load() fails without a version and returns the old content with one.",
    seed: {},
    run: async ({ repository }) => {
      const digest = await publish(repository, "first", "gone.md");
      await repository.delete("one");
      await failsWith(repository.load("one"), "SKILL_NOT_FOUND");
      await holdsFirst(repository, await oldest(repository), digest);
    },
  },
  {
    id: "versioned-skill-repository/after-delete-and-upload",
    promise: "A skill that is uploaded again after its deletion also has its old versions.",
    seed: {},
    run: async ({ repository }) => {
      const digests = [await publish(repository, "first")];
      await repository.delete("one");
      digests.unshift(await publish(repository, "second"));
      const versions = await repository.versions("one");
      assert.deepEqual(
        versions.map(({ digest }) => digest),
        digests,
      );
    },
  },
  {
    id: "versioned-skill-repository/by-digest",
    promise: "A version can also be given by its digest.",
    seed: {},
    run: async ({ repository }) => {
      const digest = await publish(repository, "first", "gone.md");
      await publish(repository, "second");
      await holdsFirst(repository, digest, digest);
    },
  },
  {
    id: "versioned-skill-repository/same-content",
    promise: "An upload equal to the newest version returns that version and creates no new one.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "first");
      const before = await repository.versions("one");
      const again = await repository.upload(files("first"));
      assert.deepEqual(await repository.versions("one"), before);
      // A skill with a single version need not name it.
      assert.equal(again.version ?? before[0]?.version, before[0]?.version);
      assert.equal(again.digest, before[0]?.digest);
    },
  },
  {
    id: "versioned-skill-repository/reader",
    promise: "reader() with an old version reads the files of that version.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "first", "gone.md");
      await publish(repository, "second");
      assert(repository.reader, "The repository has no `reader`: skip the promises about it by their ids.");
      const read = await repository.reader("one", { version: await oldest(repository) });
      assert.equal(await readText(await read("note.md"), 100), "first");
      assert.equal(await readText(await read("gone.md"), 100), "");
    },
  },
  {
    id: "versioned-skill-repository/unknown-version",
    promise:
      "A version that is not kept fails with SKILL_NOT_FOUND, even if it is similar to an existing one.",
    seed: {},
    run: async ({ repository }) => {
      await publish(repository, "first");
      const known = await oldest(repository);
      for (const version of ["", "0", "-1", `${known}0`, ` ${known}`, "latest", `sha256:${"0".repeat(64)}`]) {
        const refused = (work: Promise<unknown>): Promise<SkillError> =>
          failsWith(work, "SKILL_NOT_FOUND", JSON.stringify(version));
        await refused(repository.load("one", { version }));
        await refused(repository.open("one", "SKILL.md", { version }));
      }
    },
  },
  endsWhenAborted("versioned-skill-repository/aborted", {}, ({ repository }, signal) =>
    repository.versions("one", { signal }),
  ),
];

function files(text: string, more?: string): ReturnType<typeof upload> {
  const skillFile = skillMarkdown("one", { body: text });
  return upload("one", { "SKILL.md": skillFile, "note.md": text, ...(more !== undefined && { [more]: "" }) });
}

async function publish(repository: VersionedRepository, text: string, more?: string): Promise<string> {
  return (await repository.upload(files(text, more))).digest;
}

async function note(repository: VersionedRepository, version?: string): Promise<string> {
  return await readText(await repository.open("one", "note.md", { version }), 100);
}

async function oldest(repository: VersionedRepository): Promise<string> {
  return (await repository.versions("one")).at(-1)?.version ?? assert.fail("The skill has no versions.");
}

async function holdsFirst(repository: VersionedRepository, version: string, digest: string): Promise<void> {
  const loaded = await repository.load("one", { version });
  assert.deepEqual([loaded.digest, loaded.body], [digest, "first"]);
  assert(loaded.manifest.files.some(({ path }) => path === "gone.md"));
  assert.equal(await note(repository, version), "first");
  await failsWith(repository.open("one", "new.md", { version }), "FILE_NOT_FOUND");
}
