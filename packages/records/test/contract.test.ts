import {
  testRevocableTrustStore,
  testSessionStore,
  testTrustStore,
  testTurnStore,
  testWorkspaceRegistry,
} from "@skillwright/contracts";
import { memoryRecords } from "@skillwright/repository-memory";
import { test } from "vitest";
import { recordRegistry, recordSessions, recordTrust, recordTurns } from "../src/index.js";

testSessionStore(test, async () => ({ sessions: recordSessions(memoryRecords()) }));
testTurnStore(test, async () => {
  const records = memoryRecords();
  return { turns: recordTurns(records), other: recordTurns(records) };
});
testWorkspaceRegistry(test, async () => {
  const records = memoryRecords();
  return { registry: recordRegistry(records), other: recordRegistry(records) };
});
const trust = async () => {
  const records = memoryRecords();
  return { trust: recordTrust(records), other: recordTrust(records) };
};
testTrustStore(test, trust);
testRevocableTrustStore(test, trust);
