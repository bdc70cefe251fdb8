import assert from "node:assert/strict";
import type { SkillErrorCode, WritableSkillRepository } from "@skillwright/core";
import { SKILL_LIMITS } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { type SkillSeed, skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { refusesHostilePaths } from "../traits/hostile-paths.js";
import type { WritableRepositoryPromise, WritableRepositorySubject } from "./subject.js";
import { stallingContent, stateOf, upload } from "./uploads.js";

const MARKDOWN = "---\ndescription: Has one.\n";

export const uploadRefusals: readonly WritableRepositoryPromise[] = [
  unchanged(
    "no-skill-file",
    "An upload without SKILL.md at its top level fails with SKILL_INVALID",
    async (repository) => {
      const files = [{ path: "csv/SKILL.md", content: skillMarkdown("csv") }];
      await failsWith(repository.upload(files), "SKILL_INVALID");
      await failsWith(repository.upload([]), "SKILL_INVALID");
    },
  ),
  unchanged(
    "unloadable",
    "An upload whose SKILL.md cannot be loaded fails with SKILL_INVALID",
    async (repository) => {
      for (const text of ["no header", "---\nname: csv\n---\n", "---\nname: csv\n", ""])
        await failsWith(repository.upload(upload("csv", { "SKILL.md": text })), "SKILL_INVALID", text);
    },
  ),
  unchanged(
    "name",
    "An upload without a name, or with one that the standard forbids, fails with SKILL_INVALID",
    async (repository) => {
      for (const line of [
        "",
        "name: Csv",
        "name: ../csv",
        "name: a b",
        "name: .",
        "name: -a",
        `name: ${"a".repeat(65)}`,
      ])
        await failsWith(
          repository.upload(upload("csv", { "SKILL.md": `${MARKDOWN}${line}\n---\n` })),
          "SKILL_INVALID",
          line,
        );
    },
  ),
  unchanged(
    "hostile-paths",
    "A path that leaves the skill or is not canonical is refused",
    async (repository) => {
      await refusesHostilePaths((path) => repository.upload([...upload("csv"), { path, content: "x" }]));
    },
  ),
  unchanged("twice", "An upload that contains a path twice fails with SKILL_INVALID", async (repository) => {
    const files = [...upload("csv", { "a.md": "one" }), { path: "a.md", content: "two" }];
    await failsWith(repository.upload(files), "SKILL_INVALID");
  }),
  unchanged(
    "file-and-folder",
    "An upload that uses a path both as a file and as a folder fails with SKILL_INVALID",
    async (repository) => {
      await failsWith(repository.upload(upload("csv", { a: "file", "a/b": "below" })), "SKILL_INVALID");
      await failsWith(repository.upload(upload("csv", { "a/b": "below", a: "file" })), "SKILL_INVALID");
    },
  ),
  unchanged(
    "too-many-files",
    "An upload with more files than the limit fails with LIMIT_EXCEEDED",
    async (repository) => {
      const many = Array.from({ length: SKILL_LIMITS.files }, (_, index) => [`${index}.md`, ""] as const);
      await failsWith(repository.upload(upload("csv", Object.fromEntries(many))), "LIMIT_EXCEEDED");
    },
  ),
  unchanged(
    "too-many-bytes",
    "An upload whose content never ends fails with LIMIT_EXCEEDED",
    async (repository) => {
      const endless = upload("csv", { "endless.bin": zeros() });
      await inTime(failsWith(repository.upload(endless), "LIMIT_EXCEEDED"), "The endless upload");
    },
  ),
  unchanged(
    "large-skill-file",
    "An upload whose SKILL.md is larger than its limit fails with LIMIT_EXCEEDED",
    async (repository) => {
      const text = `${skillMarkdown("csv")}${"x".repeat(SKILL_LIMITS.skillFileBytes)}`;
      await failsWith(repository.upload(upload("csv", { "SKILL.md": text })), "LIMIT_EXCEEDED");
    },
  ),
  unchanged(
    "failing-source",
    "An upload whose source fails rejects with the error of the source",
    async (repository) => {
      const reason = new Error("the source broke");
      const outcome = await repository
        .upload(upload("csv", { "broken.bin": failing(reason) }))
        .catch((e: unknown) => e);
      assert.equal(outcome, reason);
    },
  ),
  unchanged(
    "aborted",
    "An upload that is aborted while its source stalls fails with ABORTED",
    async (repository) => {
      const { content, stalled } = stallingContent();
      const controller = new AbortController();
      const work = repository.upload(upload("csv", { "stalls.bin": content }), { signal: controller.signal });
      void stalled.then(() => controller.abort());
      await inTime(failsWith(work, "ABORTED" satisfies SkillErrorCode), "The aborted upload");
    },
  ),
];

/** A promise about a refused upload: it changes nothing. */
function unchanged(
  id: string,
  sentence: string,
  attempt: (repository: WritableSkillRepository) => Promise<void>,
): ContractPromise<WritableRepositorySubject, SkillSeed> {
  return {
    id: `writable-skill-repository/refused/${id}`,
    promise: `${sentence}, and changes nothing.`,
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const before = await stateOf(repository);
      await attempt(repository);
      assert.deepEqual(await stateOf(repository), before);
    },
  };
}

/** Three times the limit, so that the test also ends where the promise is broken. */
async function* zeros(): AsyncGenerator<Uint8Array> {
  for (let megabytes = 0; megabytes < 3 * 16; megabytes++) yield new Uint8Array(1024 * 1024);
}

// biome-ignore lint/correctness/useYield: it fails before there is anything to give
async function* failing(reason: Error): AsyncGenerator<Uint8Array> {
  throw reason;
}
