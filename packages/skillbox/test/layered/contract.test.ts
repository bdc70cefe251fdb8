import { type SkillSeed, testSkillRepository, testWritableSkillRepository } from "@skillwright/contracts";
import type { WritableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { layered } from "@skillwright/skillbox";
import { describe, test } from "vitest";
import { replaceAll } from "../replace-all.js";

describe("skills in the first layer", () => {
  testSkillRepository(test, inFirst);
  testWritableSkillRepository(test, inFirst);
});

describe("skills in the last layer", () => {
  testSkillRepository(test, async (skills) => {
    const memory = memoryRepository({ skills });
    const repository = layered(memoryRepository(), memoryRepository(), memory);
    return { repository, change: (changed) => replaceAll(memory, changed) };
  });
});

async function inFirst(skills: SkillSeed): Promise<{
  repository: WritableSkillRepository;
  change: (changed: SkillSeed) => Promise<void>;
}> {
  const memory = memoryRepository({ skills });
  const repository = layered(memory, memoryRepository());
  return { repository, change: (changed) => replaceAll(memory, changed) };
}
