import {
  revocableTrustStorePromises,
  testBreakages,
  trustStorePromises,
  workspaceRegistryPromises,
} from "@skillwright/contracts";
import { memoryRecords } from "@skillwright/repository-memory";
import { test } from "vitest";
import { recordRegistry, recordTrust } from "../../src/index.js";
import { registryBreakages } from "./registry-breakages.js";
import { revocableTrustBreakages, trustBreakages } from "./trust-breakages.js";

testBreakages(test, workspaceRegistryPromises, registryBreakages, async () => {
  const registry = recordRegistry(memoryRecords());
  return { registry, other: registry };
});
testBreakages(test, trustStorePromises, trustBreakages, trustSubject);
testBreakages(test, revocableTrustStorePromises, revocableTrustBreakages, trustSubject);

async function trustSubject() {
  const trust = recordTrust(memoryRecords());
  return { trust, other: trust };
}
