import {
  testArtifactStore,
  testSessionStore,
  testSkillRepository,
  testWritableSkillRepository,
} from "@skillwright/core/testing";
import { test } from "vitest";
import { memoryArtifacts, memorySessions } from "../src/index.js";
import { memorySubject } from "./memory-subject.js";

testSkillRepository(test, memorySubject);
testWritableSkillRepository(test, memorySubject);
testArtifactStore(test, async () => ({ artifacts: memoryArtifacts() }));
testSessionStore(test, async () => ({ sessions: memorySessions() }));
