import { testRevocableTrustStore, testTrustStore, testWorkspaceRegistry } from "@skillwright/contracts";
import type { RecordStore } from "@skillwright/core";
import { test } from "vitest";
import { recordRegistry, recordTrust } from "../src/index.js";
import { testSessions } from "./sessions-over.js";
import { testTurns } from "./turns-over.js";

/** A store of records with nothing in it, and the same through another handle. */
export interface Opened {
  readonly records: RecordStore;
  readonly other: RecordStore;
  readonly dispose?: () => Promise<void>;
}

/** Every promise of all that is kept in records. */
export function testAllOver(open: () => Promise<Opened>): void {
  testSessions(open);
  testTurns(open);
  testWorkspaceRegistry(test, async () => {
    const { records, other, ...rest } = await open();
    return { registry: recordRegistry(records), other: recordRegistry(other), ...rest };
  });
  const trust = async () => {
    const { records, other, ...rest } = await open();
    return { trust: recordTrust(records), other: recordTrust(other), ...rest };
  };
  testTrustStore(test, trust);
  testRevocableTrustStore(test, trust);
}
