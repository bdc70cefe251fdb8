import fileSystem, { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { LOCK_NAME } from "../src/files/own-names.js";
import { newProcessMark } from "../src/files/process-mark.js";
import { fsRegistry } from "../src/index.js";
import { tidyRegistryFolder } from "../src/registry/tidy-folder.js";
import { killAtEveryStep, runChild } from "./children.js";
import { temporaryDirectory } from "./fs-subject.js";

const ID = "ws_1";
const NOW = "2026-03-01T12:00:00.000Z";
const RECORD = { formatVersion: 1, workspaceId: ID, createdAt: NOW, lastUsedAt: NOW } as const;
const PATIENCE = { timeout: 120_000 };
const conflict = expect.toSatisfy((error) => SkillError.is(error, "CONFLICT"));

/** A lease as another process would have left it, with this process's identity changed. */
async function leaseOf(root: string, change: (holder: string) => string, more: object = {}): Promise<void> {
  await mkdir(join(root, ID), { recursive: true });
  const uptime = Number(process.hrtime.bigint() / 1_000_000n);
  const lease = {
    formatVersion: 1,
    token: 7,
    holder: change(await newProcessMark()),
    forMs: 60_000,
    until: Date.now() + 60_000,
    untilUptime: uptime + 60_000,
    ...more,
  };
  await writeFile(join(root, ID, "lease.json"), JSON.stringify(lease));
}

test("tidying after a workspace whose directory is gone creates nothing", async () => {
  const { root, dispose } = await temporaryDirectory();
  await tidyRegistryFolder(join(root, ID));
  expect(await readdir(root)).toEqual([]);
  await dispose();
});

describe("the lease of a process", () => {
  test("that lives is held, and no other is held by its name alone", async () => {
    const { root, dispose } = await temporaryDirectory();
    await leaseOf(root, (holder) => holder);
    await expect(fsRegistry({ root }).lease(ID, { forMs: 1000 })).rejects.toThrow(conflict);
    await dispose();
  });

  test("LIFE-06: whose id another program has now is free at once", async () => {
    const { root, dispose } = await temporaryDirectory();
    await leaseOf(root, (holder) => holder.replace(/^(\w+-\d+)-[0-9a-f]+-/, "$1-1-"));
    const { token } = await fsRegistry({ root }).lease(ID, { forMs: 1000 });
    expect(token).toBeGreaterThan(7);
    await dispose();
  });

  test("that ended is free at once", async () => {
    const { root, dispose } = await temporaryDirectory();
    await leaseOf(root, (holder) => holder.replace(/^(\w+)-\d+-/, `$1-${2 ** 22 + 1}-`));
    await (await fsRegistry({ root }).lease(ID, { forMs: 1000 })).release();
    await dispose();
  });

  test("a lease of another machine, or from before a reboot, is held until it expires", async () => {
    const { root, dispose } = await temporaryDirectory();
    const elsewhere = (holder: string) => holder.replace(/^\w{12}/, "0123456789ab");
    await leaseOf(root, elsewhere);
    await expect(fsRegistry({ root }).lease(ID, { forMs: 1000 })).rejects.toThrow(conflict);
    await leaseOf(root, elsewhere, { until: Date.now() - 1 });
    await (await fsRegistry({ root }).lease(ID, { forMs: 1000 })).release();
    await dispose();
  });

  test("does not expire because the time of day was set", async () => {
    const { root, dispose } = await temporaryDirectory();
    await leaseOf(root, (holder) => holder, { until: Date.now() - 3_600_000 });
    await expect(fsRegistry({ root }).lease(ID, { forMs: 1000 })).rejects.toThrow(conflict);
    await leaseOf(root, (holder) => holder, { untilUptime: 1 });
    await (await fsRegistry({ root }).lease(ID, { forMs: 1000 })).release();
    await dispose();
  });
});

test("an empty directory is left when the last record and lease are gone", async () => {
  const { root, dispose } = await temporaryDirectory();
  const registry = fsRegistry({ root });
  await registry.put(RECORD);
  const lease = await registry.lease(ID, { forMs: 60_000 });
  await registry.remove(ID);
  expect(await readdir(root)).toEqual([ID]);
  await lease.release();
  expect(await readdir(root)).toEqual([]);
  await (await registry.lease("WS_2", { forMs: 60_000 })).release();
  expect(await readdir(root)).toEqual([]);
  await dispose();
});

test("the directory is empty after a release, even if the removal of a lock takes long", async () => {
  const { root, dispose } = await temporaryDirectory();
  const lease = await fsRegistry({ root }).lease(ID, { forMs: 60_000 });
  const removeNow = rmdir;
  onTestFinished(() => replaceRmdir(removeNow));
  replaceRmdir(async (path) => {
    // In a busy thread pool, calls that were made later may run first.
    if (String(path).endsWith(LOCK_NAME)) await delay(50);
    await removeNow(path);
  });
  await lease.release();
  expect(await readdir(root)).toEqual([]);
  await dispose();
});

function replaceRmdir(remove: typeof rmdir): void {
  fileSystem.rmdir = remove;
  syncBuiltinESMExports();
}

test("an unreadable record is reported, and no other one is mistaken for it", async () => {
  const { root, dispose } = await temporaryDirectory();
  const registry = fsRegistry({ root });
  await registry.put(RECORD);
  expect(JSON.parse(await readFile(join(root, ID, "record.json"), "utf8"))).toEqual(RECORD);
  await writeFile(join(root, ID, "record.json"), '{"formatVersion":2}');
  await expect(registry.get(ID)).rejects.toThrow("from a later release");
  await dispose();
});

if (hasAll("packages/repository-fs/dist"))
  describe("several processes with one registry", () => {
    test("take turns: no two work at once, and tokens increase", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      await Promise.all(["a", "b", "c"].map((text) => runChild(["lease", root, text, "25"])));
      const lines = (await readFile(`${root}.log`, "utf8")).trim().split("\n");
      const turns = lines.map((line) => line.split(" "));
      expect(turns).toHaveLength(150);
      const begins = turns.filter((_, index) => index % 2 === 0);
      const ends = turns.filter((_, index) => index % 2 === 1);
      expect(ends.map(([, token]) => token)).toEqual(begins.map(([, token]) => token));
      const tokens = begins.map(([, token]) => Number(token));
      expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
      expect(await readdir(root)).toEqual([]);
      await rm(`${root}.log`);
      await dispose();
    });

    test(
      "one that is killed before any of its calls blocks no other, and leaves nothing",
      PATIENCE,
      async () => {
        const steps = await killAtEveryStep(async (killAt) => {
          const { root, dispose } = await temporaryDirectory();
          return {
            result: await runChild(["register", root, ID], killAt),
            check: async () => {
              const registry = fsRegistry({ root });
              const lease = await registry.lease(ID, { forMs: 60_000, waitMs: 5000 });
              await lease.release();
              const known = await registry.get(ID);
              if (known) expect(known).toMatchObject({ workspaceId: ID, owner: "app/ada/one" });
              await registry.remove(ID);
              await registry.list();
              expect(await readdir(root), `killed before call ${killAt}`).toEqual([]);
              await dispose();
            },
          };
        });
        expect(steps).toBeGreaterThan(20);
      },
    );
  });
