import {
  artifactStorePromises,
  recordStorePromises,
  sessionStorePromises,
  skillRepositoryPromises,
  testBreakages,
  turnStorePromises,
  workspaceRegistryPromises,
  writableSkillRepositoryPromises,
} from "@skillwright/contracts";
import { afterEach, test } from "vitest";
import {
  memoryArtifacts,
  memoryRecords,
  memoryRegistry,
  memorySessions,
  memoryTurns,
} from "../../src/index.js";
import { memorySubject } from "../memory-subject.js";
import { artifactBreakages } from "./artifact-breakages.js";
import { listingBreakages } from "./listing-breakages.js";
import { loadingBreakages } from "./loading-breakages.js";
import { recordBreakages } from "./record-breakages.js";
import { registryBreakages } from "./registry-breakages.js";
import { sessionBreakages } from "./session-breakages.js";
import { turnBreakages } from "./turn-breakages.js";
import { writingBreakages } from "./writing-breakages.js";

// Left by the adapter that executes files it finds.
afterEach(() => void Reflect.deleteProperty(globalThis, "skillwrightContractMarker"));

const reading = { ...listingBreakages, ...loadingBreakages };
testBreakages(test, skillRepositoryPromises, reading, memorySubject);
testBreakages(test, writableSkillRepositoryPromises, writingBreakages, memorySubject);
testBreakages(test, artifactStorePromises, artifactBreakages, async () => ({ artifacts: memoryArtifacts() }));
testBreakages(test, sessionStorePromises, sessionBreakages, async () => ({ sessions: memorySessions() }));
testBreakages(test, workspaceRegistryPromises, registryBreakages, async () => {
  const registry = memoryRegistry();
  return { registry, other: registry };
});
testBreakages(test, turnStorePromises, turnBreakages, async () => {
  const turns = memoryTurns();
  return { turns, other: turns };
});
testBreakages(test, recordStorePromises, recordBreakages, async () => {
  const records = memoryRecords();
  return { records, other: records };
});
