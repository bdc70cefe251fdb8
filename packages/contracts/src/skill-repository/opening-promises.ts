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
    promise: "Every file of the manifest opens with its bytes, binary and empty ones too.",
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
    promise: "A file of several megabytes comes whole and in order.",
    seed: { big: { "SKILL.md": skillMarkdown("big"), "big.bin": LARGE } },
    run: async ({ repository }) => {
      const bytes = await contentOf(repository, "big", "big.bin");
      assert(Buffer.compare(bytes, LARGE) === 0, "The bytes differ.");
    },
  },
  {
    id: "skill-repository/open/missing",
    promise: "A file that is not there ends with FILE_NOT_FOUND, a folder too.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const path of ["nothing.md", "scripts", "scripts/run.sh/deeper", "guide.md"])
        await failsWith(repository.open("csv-analyst", path), "FILE_NOT_FOUND", path);
    },
  },
  {
    id: "skill-repository/open/unknown-skill",
    promise: "A file of an unknown skill ends with SKILL_NOT_FOUND.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      for (const name of ["cs", "../csv", "."])
        await failsWith(repository.open(name, "SKILL.md"), "SKILL_NOT_FOUND");
    },
  },
  {
    id: "skill-repository/open/hostile-paths",
    promise: "Paths that leave the skill end with PATH_OUTSIDE, paths not in plain form with PATH_INVALID.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => await refusesHostilePaths((path) => repository.open("csv", path)),
  },
  {
    id: "skill-repository/open/own",
    promise: "The bytes are the caller's own: changing them changes nothing in the repository.",
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
    promise: "The label says in a line what the repository is.",
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
