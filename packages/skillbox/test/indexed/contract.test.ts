import { type SkillSeed, testSkillRepository, testWritableSkillRepository } from "@skillwright/contracts";
import type { WritableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { indexed } from "@skillwright/skillbox";
import { test } from "vitest";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { replaceAll } from "../replace-all.js";

testSkillRepository(test, subject);
testWritableSkillRepository(test, subject);

/** Changes bypass the index. */
async function subject(skills: SkillSeed): Promise<{
  repository: WritableSkillRepository;
  change: (changed: SkillSeed) => Promise<void>;
}> {
  const memory = memoryRepository({ skills });
  return {
    repository: indexed(memory, memoryIndex()),
    change: (changed) => replaceAll(memory, changed),
  };
}
