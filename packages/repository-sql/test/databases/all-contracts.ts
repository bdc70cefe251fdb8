import {
  testArtifactStore,
  testRecordStore,
  testRestorableSkillRepository,
  testSkillRepository,
  testVersionedSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { type FreshDatabase, subjects } from "./subjects.js";

/** Registers every promise of every port of the package. */
export function testAllContracts(fresh: () => Promise<FreshDatabase>): void {
  const on = subjects(fresh);
  testSkillRepository(test, on.repository);
  testWritableSkillRepository(test, on.repository);
  testVersionedSkillRepository(test, on.repository);
  testRestorableSkillRepository(test, on.repository);
  testArtifactStore(test, on.artifacts);
  testRecordStore(test, on.records);
}
