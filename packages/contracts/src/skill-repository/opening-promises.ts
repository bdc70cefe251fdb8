import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SkillRepository } from "@skillwright/core";
import { readBytes } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import type { RepositoryPromise } from "./subject.js";

const LARGE = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 251);

export const openingPromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/open/bytes",
    promise: "open() returns the bytes of every file of the manifest, including binary and empty files.",
    seed: { ...TWO_SKILLS, empty: { "SKILL.md": skillMarkdown("empty"), nothing: "" } },
    run: async ({ repository }) => {
      for (const name of ["csv-analyst", "csv", "empty"]) {
        const { manifest } = await repository.load(name);
        assert.notEqual(manifest.files.length, 0);
        for (const { path, size, sha256 } of manifest.files) {
          const bytes = await contentOf(repository, name, path);
          const hash = createHash("sha256").update(bytes).digest("hex");
          assert.deepEqual([path, bytes.byteLength, hash], [path, size, sha256]);
        }
      }
    },
  },
  {
    id: "skill-repository/open/large",
    promise: "open() returns a file of several megabytes completely and in order.",
    seed: { big: { "SKILL.md": skillMarkdown("big"), "big.bin": LARGE } },
    run: async ({ repository }) => {
      const bytes = await contentOf(repository, "big", "big.bin");
      assert(Buffer.compare(bytes, LARGE) === 0, "The bytes differ.");
    },
  },
  {
    id: "skill-repository/open/missing",
    promise: "Opening a missing file or a folder fails with FILE_NOT_FOUND.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const path of ["nothing.md", "scripts", "scripts/run.sh/deeper", "guide.md"])
        await failsWith(repository.open("csv-analyst", path), "FILE_NOT_FOUND", path);
    },
  },
  {
    id: "skill-repository/open/unknown-skill",
    promise: "Opening a file of an unknown skill fails with SKILL_NOT_FOUND.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const name of ["cs", "../csv", "."])
        await failsWith(repository.open(name, "SKILL.md"), "SKILL_NOT_FOUND");
    },
  },
  {
    id: "skill-repository/open/hostile-paths",
    promise:
      "A path that leaves the skill fails with PATH_OUTSIDE, a path that is not canonical with PATH_INVALID.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => await refusesHostilePaths((path) => repository.open("csv", path)),
  },
  {
    id: "skill-repository/open/own",
    promise: "A caller may change the bytes that it has read; the repository stays the same.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for await (const piece of await repository.open("csv", "SKILL.md")) piece.fill(0);
      const again = await contentOf(repository, "csv", "SKILL.md");
      assert.equal(Buffer.from(again).toString(), skillMarkdown("csv"));
    },
  },
  endsWhenAborted("skill-repository/open/aborted", TWO_SKILLS, ({ repository }, signal) =>
    repository.open("csv", "SKILL.md", { signal }),
  ),
  {
    id: "skill-repository/label",
    promise: "The label describes the repository in one line.",
    seed: {},
    run: async ({ repository }) => {
      assert.match(repository.label, /^\P{Cc}{1,200}$/u);
    },
  },
  closesTwice("skill-repository/close/twice", {}, ({ repository }) => repository),
];

async function contentOf(repository: SkillRepository, name: string, path: string): Promise<Uint8Array> {
  return await readBytes(await repository.open(name, path), 16 * 1024 * 1024);
}
