import {
  revocableTrustStorePromises,
  testBreakages,
  testRevocableTrustStore,
  testTrustStore,
  trustStorePromises,
} from "@skillwright/contracts";
import { test } from "vitest";
import { memoryTrust } from "../../src/index.js";
import { revocableTrustBreakages, trustBreakages } from "./trust-breakages.js";

testTrustStore(test, subject);
testRevocableTrustStore(test, subject);
testBreakages(test, trustStorePromises, trustBreakages, subject);
testBreakages(test, revocableTrustStorePromises, revocableTrustBreakages, subject);

async function subject() {
  const trust = memoryTrust();
  return { trust, other: trust };
}
