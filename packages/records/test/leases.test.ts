import { processMark } from "@skillwright/core/adapter";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { recordRegistry } from "../src/index.js";

test("LIFE-06: a lease of a process whose id another program has now is free at once", async () => {
  const records = memoryRecords();
  const registry = recordRegistry(records);
  const { token } = await registry.lease("ws_1", { forMs: 3_600_000 });
  const key = ["workspace-lease", "default", "ws_1"];
  const { value } = await records.get(key);
  const process = (await processMark()).replace(/-[0-9a-f]+$/, "-1");
  await records.write(key, { value: { ...(value as object), process } });
  expect((await registry.lease("ws_1", { forMs: 1000 })).token).toBeGreaterThan(token);
});
