import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { SkillReader, SkillRepository } from "@skillwright/core";
import { readBytes } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import type { RepositoryPromise } from "./subject.js";

const LARGE = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 17) % 253);

/** Promises of repositories with a `reader`. Other repositories skip them by id. */
export const readingPromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/reader/bytes",
    promise:
      "A reader returns the bytes of every file of the manifest, also concurrently, before and after a load.",
    seed: { csv: { "SKILL.md": skillMarkdown("csv"), "docs/empty.md": "", "big.bin": LARGE } },
    run: async ({ repository }) => {
      const early = await readerOf(repository, "csv");
      const { manifest } = await repository.load("csv");
      for (const read of [early, await readerOf(repository, "csv")]) {
        const digests = manifest.files.map(async ({ path }) =>
          digestOf(await readBytes(await read(path), 1e7)),
        );
        assert.deepEqual(
          await Promise.all(digests),
          manifest.files.map(({ sha256 }) => sha256),
        );
      }
    },
  },
  {
    id: "skill-repository/reader/refused",
    promise:
      "reader() fails with SKILL_NOT_FOUND for an unknown skill; a reader fails with FILE_NOT_FOUND for a missing file.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      await failsWith(readerOf(repository, "nobody"), "SKILL_NOT_FOUND");
      const read = await readerOf(repository, "csv");
      for (const path of ["nothing.md", "SKILL.md/deeper"])
        await failsWith(read(path), "FILE_NOT_FOUND", path);
      await refusesHostilePaths(read);
    },
  },
  {
    id: "skill-repository/reader/own",
    promise: "A caller may change the bytes that it has read; the repository stays the same.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const read = await readerOf(repository, "csv");
      (await readBytes(await read("SKILL.md"), 1e6)).fill(0);
      assert.notEqual((await readBytes(await read("SKILL.md"), 1e6))[0], 0);
    },
  },
  {
    id: "skill-repository/reader/locations",
    promise:
      "Each location that a reader returns is a regular file with the bytes of that file in the manifest.",
    seed: { csv: { "SKILL.md": skillMarkdown("csv"), "docs/empty.md": "", "big.bin": LARGE } },
    run: async ({ repository }) => {
      const read = await readerOf(repository, "csv");
      const { manifest } = await repository.load("csv");
      const sums = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
      for (const [path, location] of (await read.locations?.()) ?? []) {
        assert(isAbsolute(location) && (await lstat(location)).isFile(), location);
        assert.equal(digestOf(await readFile(location)), sums.get(path), path);
      }
    },
  },
  endsWhenAborted("skill-repository/reader/aborted", TWO_SKILLS, async ({ repository }, signal) => {
    await readerOf(repository, "csv", signal);
  }),
];

async function readerOf(
  repository: SkillRepository,
  name: string,
  signal?: AbortSignal,
): Promise<SkillReader> {
  assert(repository.reader, "The repository has no `reader`: skip the promises about it by their ids.");
  return await repository.reader(name, { signal });
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
