import assert from "node:assert/strict";
import { type ContractPromise, type SkillSeed, skillMarkdown } from "@skillwright/contracts";
import type { SkillRepository } from "@skillwright/core";
import { writerProcess } from "./writer-process.ts";

export interface KilledWriterSubject {
  readonly repository: SkillRepository;
  /** The file of the repository. */
  readonly location: string;
  /** The writer's job that stops between two files of an upload. */
  readonly halfUpload: "halt" | "haltCareless";
}

/** The promises of this store beyond its ports, in the same form, so that they can be tested in the same way. */
export const killedWriterPromises: readonly ContractPromise<KilledWriterSubject, SkillSeed>[] = [
  {
    id: "sqlite-store/killed",
    promise: "While an upload is half done, and after its process was killed there, the old skill is whole.",
    seed: { one: { "SKILL.md": skillMarkdown("one", { body: "Old." }), "data.txt": "old" } },
    run: async ({ repository, location, halfUpload }) => {
      const before = await repository.load("one");
      const writer = writerProcess(halfUpload, location);
      try {
        assert.equal(await writer.line(), "half");
        await isWhole();
      } finally {
        await writer.kill();
      }
      await isWhole();

      async function isWhole(): Promise<void> {
        assert.deepEqual(await repository.load("one"), before);
        await repository.open("one", "data.txt");
      }
    },
  },
];
