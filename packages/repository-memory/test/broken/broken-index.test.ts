import { metadataIndexPromises, testBreakages, testMetadataIndex } from "@skillwright/contracts";
import { test } from "vitest";
import { indexBreakages } from "./index-breakages.js";
import { memoryIndex } from "./memory-index.js";

testMetadataIndex(test, async () => subject());
testBreakages(test, metadataIndexPromises, indexBreakages, async () => subject());

function subject() {
  const index = memoryIndex();
  return { index, other: index };
}
