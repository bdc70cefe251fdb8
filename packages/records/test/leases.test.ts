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

test("a lease of this machine goes on when the clock of the store is set, and ends by its own time", async () => {
  const records = memoryRecords();
  let aheadMs = 0;
  const registry = recordRegistry({
    ...records,
    get: async (key, options) => {
      const reading = await records.get(key, options);
      return { ...reading, nowMs: reading.nowMs + aheadMs };
    },
  });
  const held = await registry.lease("ws_1", { forMs: 60_000 });
  aheadMs = 10 * 60_000;
  await expect(registry.lease("ws_1", { forMs: 1000, waitMs: 30 })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await held.renew()).toBe(true);
  await held.release();
  await registry.lease("ws_1", { forMs: 1 });
  aheadMs = -10 * 60_000;
  await registry.lease("ws_1", { forMs: 1000, waitMs: 60_000 });
});

test("leases of ended processes whose workspaces do not exist are forgotten when workspaces are listed", async () => {
  const records = memoryRecords();
  const registry = recordRegistry(records);
  const leases = ["workspace-lease", "default"];
  await registry.lease("left", { forMs: 3_600_000 });
  await registry.lease("held", { forMs: 3_600_000 });
  const { value } = await records.get([...leases, "left"]);
  const process = (await processMark()).replace(/-[0-9a-f]+$/, "-1");
  await records.write([...leases, "left"], { value: { ...(value as object), process } });
  await registry.list();
  expect((await records.list(leases)).records.map(({ name }) => name)).toEqual(["held"]);
});
