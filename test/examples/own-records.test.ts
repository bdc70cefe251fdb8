import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testRecordStore } from "../../packages/contracts/src/index.js";
import { open } from "lmdb";
import { describe, test } from "vitest";
import { lmdbRecords } from "../../examples/own-records/lmdb-records.js";
import { testAllOver } from "../../packages/records/test/over-adapters.js";

describe("the record store of the guide", () => {
  testRecordStore(test, opened);
  testAllOver(opened);
});

async function opened() {
  const path = await mkdtemp(join(tmpdir(), "skillwright-own-records-"));
  const databases = [open({ path }), open({ path })] as const;
  const [records, other] = [lmdbRecords({ database: databases[0] }), lmdbRecords({ database: databases[1] })];
  const dispose = async () => {
    for (const part of [records, other, ...databases]) await part.close();
    await rm(path, { recursive: true });
  };
  return { records, other, dispose };
}
