import {
  restorableSkillRepositoryPromises,
  testBreakages,
  testRestorableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { memoryRepository } from "../../src/index.js";
import { restoreBreakages } from "./restore-breakages.js";

testRestorableSkillRepository(test, async () => ({ repository: memoryRepository() }));
testBreakages(test, restorableSkillRepositoryPromises, restoreBreakages, async () => ({
  repository: memoryRepository(),
}));
