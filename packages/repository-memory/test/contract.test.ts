import {
  testArtifactStore,
  testRecordStore,
  testSessionStore,
  testSkillRepository,
  testTurnStore,
  testWorkspaceRegistry,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { memoryArtifacts, memoryRecords, memoryRegistry, memorySessions, memoryTurns } from "../src/index.js";
import { memorySubject } from "./memory-subject.js";

testSkillRepository(test, memorySubject);
testWritableSkillRepository(test, memorySubject);
testArtifactStore(test, async () => ({ artifacts: memoryArtifacts() }));
testSessionStore(test, async () => ({ sessions: memorySessions() }));
testWorkspaceRegistry(test, async () => {
  const registry = memoryRegistry();
  return { registry, other: registry };
});
testTurnStore(test, async () => {
  const turns = memoryTurns();
  return { turns, other: turns };
});
testRecordStore(test, async () => {
  const records = memoryRecords();
  return { records, other: records };
});
