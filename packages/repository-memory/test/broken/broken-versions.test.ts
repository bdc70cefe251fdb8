import {
  testBreakages,
  testVersionedSkillRepository,
  versionedSkillRepositoryPromises,
} from "@skillwright/contracts";
import { test } from "vitest";
import { memoryVersions } from "./memory-versions.js";
import { versionBreakages } from "./version-breakages.js";

testVersionedSkillRepository(test, async () => ({ repository: memoryVersions() }));
testBreakages(test, versionedSkillRepositoryPromises, versionBreakages, async () => ({
  repository: memoryVersions(),
}));
