import {
  revocableTrustStorePromises,
  sessionStorePromises,
  testBreakages,
  trustStorePromises,
  turnStorePromises,
  workspaceRegistryPromises,
} from "@skillwright/contracts";
import { memoryRecords } from "@skillwright/repository-memory";
import { test } from "vitest";
import { recordRegistry, recordSessions, recordTrust, recordTurns } from "../../src/index.js";
import { registryBreakages } from "./registry-breakages.js";
import { sessionBreakages } from "./session-breakages.js";
import { revocableTrustBreakages, trustBreakages } from "./trust-breakages.js";
import { turnBreakages } from "./turn-breakages.js";

testBreakages(test, sessionStorePromises, sessionBreakages, async () => ({
  sessions: recordSessions(memoryRecords()),
}));
testBreakages(test, workspaceRegistryPromises, registryBreakages, async () => {
  const registry = recordRegistry(memoryRecords());
  return { registry, other: registry };
});
testBreakages(test, turnStorePromises, turnBreakages, async () => {
  const turns = recordTurns(memoryRecords());
  return { turns, other: turns };
});
testBreakages(test, trustStorePromises, trustBreakages, trustSubject);
testBreakages(test, revocableTrustStorePromises, revocableTrustBreakages, trustSubject);

async function trustSubject() {
  const trust = recordTrust(memoryRecords());
  return { trust, other: trust };
}
