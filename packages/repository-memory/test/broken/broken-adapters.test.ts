import {
  artifactStorePromises,
  recordStorePromises,
  skillRepositoryPromises,
  testBreakages,
  writableSkillRepositoryPromises,
} from "@skillwright/contracts";
import { afterEach, test } from "vitest";
import { memoryArtifacts, memoryRecords } from "../../src/index.js";
import { memorySubject } from "../memory-subject.js";
import { artifactBreakages } from "./artifact-breakages.js";
import { listingBreakages } from "./listing-breakages.js";
import { loadingBreakages } from "./loading-breakages.js";
import { recordBreakages } from "./record-breakages.js";
import { writingBreakages } from "./writing-breakages.js";

// Left by the adapter that executes files it finds.
afterEach(() => void Reflect.deleteProperty(globalThis, "skillwrightContractMarker"));

const reading = { ...listingBreakages, ...loadingBreakages };
testBreakages(test, skillRepositoryPromises, reading, memorySubject);
testBreakages(test, writableSkillRepositoryPromises, writingBreakages, memorySubject);
testBreakages(test, artifactStorePromises, artifactBreakages, async () => ({ artifacts: memoryArtifacts() }));
testBreakages(test, recordStorePromises, recordBreakages, async () => {
  const records = memoryRecords();
  return { records, other: records };
});
