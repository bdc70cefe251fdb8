import {
  testArtifactStore,
  testRecordStore,
  testSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/contracts";
import { test } from "vitest";
import { memoryArtifacts, memoryRecords } from "../src/index.js";
import { memorySubject } from "./memory-subject.js";

testSkillRepository(test, memorySubject);
testWritableSkillRepository(test, memorySubject);
testArtifactStore(test, async () => ({ artifacts: memoryArtifacts() }));
testRecordStore(test, async () => {
  const records = memoryRecords();
  return { records, other: records };
});
