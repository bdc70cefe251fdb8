import { testSkillRepository } from "@skillwright/contracts";
import { test } from "vitest";
import { gitRepository } from "../src/index.js";
import { origin } from "./git-subject.js";

testSkillRepository(test, async (seed) => {
  const { directory, cache, commit, dispose } = await origin(seed);
  const repository = gitRepository({ url: directory, cache, allowLocal: true });
  return { repository, change: async (skills) => void (await commit(skills)), dispose };
});
