import {
  type Disposing,
  type SkillSeed,
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import type { SkillRepository, VersionedSkillRepository, WritableSkillRepository } from "@skillwright/core";
import { describe, test } from "vitest";
import { temporaryDirectory } from "../../../repository-fs/test/fs-subject.js";
import type { Adapted, Adapter } from "./adapters.js";
import type { Combinator, Surroundings } from "./combinators.js";

/** Checks the promises of a readable repository for each combinator over the adapter. */
export function testComposition(
  adapter: Adapter,
  combinators: readonly Combinator[],
  index: Surroundings["index"],
): void {
  const { skip = {} } = adapter;
  describe.each(combinators)(`${adapter.name}: $name`, ({ combine }) => {
    testSkillRepository(test, (seed) => combined(adapter, seed, combine, index), { skip });
  });
}

/** Also those of a writable one that keeps versions. */
export function testVersionedComposition(
  adapter: Adapter<VersionedSkillRepository & WritableSkillRepository>,
  combinators: readonly Combinator[],
  index: Surroundings["index"],
): void {
  testWritableComposition(adapter, combinators, index);
  describe.each(combinators.filter(({ keepsUploads }) => keepsUploads))(
    `${adapter.name}: $name`,
    ({ combine }) => {
      testVersionedSkillRepository(test, (seed) => combined(adapter, seed, combine, index));
    },
  );
}

/** Also those of a writable one, where uploads go to the adapter. */
export function testWritableComposition(
  adapter: Adapter<WritableSkillRepository>,
  combinators: readonly Combinator[],
  index: Surroundings["index"],
): void {
  testComposition(adapter, combinators, index);
  describe.each(combinators.filter(({ keepsUploads }) => keepsUploads))(
    `${adapter.name}: $name`,
    ({ combine }) => {
      testWritableSkillRepository(test, (seed) => combined(adapter, seed, combine, index));
    },
  );
}

export async function combined<Repository extends SkillRepository>(
  { create }: Adapter<Repository>,
  seed: SkillSeed,
  combine: Combinator["combine"],
  index: Surroundings["index"],
): Promise<Adapted<ReturnType<typeof combine<Repository>>> & Disposing> {
  const { repository, change, dispose } = await create(seed);
  const { root, dispose: remove } = await temporaryDirectory();
  const whole = combine(repository, { root, index });
  return {
    repository: whole,
    change,
    dispose: async () => {
      await whole.close();
      await dispose?.();
      await remove();
    },
  };
}
