import {
  testArtifactStore,
  testRecordStore,
  testRestorableSkillRepository,
  testSessionStore,
  testSkillRepository,
  testTurnStore,
  testVersionedSkillRepository,
  testWorkspaceRegistry,
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
  testSessionStore(test, on.sessions);
  testArtifactStore(test, on.artifacts);
  testWorkspaceRegistry(test, on.registry);
  testTurnStore(test, on.turns);
  testRecordStore(test, on.records);
}
