import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, onTestFinished, test } from "vitest";
import { lmdbRecords } from "../../examples/own-records/lmdb-records.js";
import { failsWith, testRecordStore } from "../../packages/contracts/src/index.js";
import { testAllOver } from "../../packages/records/test/over-adapters.js";
import { agentServer } from "../../packages/server/src/index.js";
import { hasAll } from "../needs/has-all.js";
import { root } from "../repository/readers/packages.js";

const KEY = ["test", "counted"];
// Node 22.13 strips types only where it is asked to.
const COUNT = [
  ...["--experimental-strip-types", "--disable-warning=ExperimentalWarning"],
  `${root}/test/examples/children/count.mjs`,
];
const ALL = { from: 0, limit: 10_000 };

describe("the record store of the guide", () => {
  testRecordStore(test, opened);
});

describe("what is kept in the record store of the guide", () => testAllOver(opened));

test("the guide shows the record store as it is, in at most 120 lines", async () => {
  const code = await readFile(`${root}/examples/own-records/lmdb-records.ts`, "utf8");
  expect(await readFile(`${root}/docs/own-adapter.md`, "utf8")).toContain(`\`\`\`ts\n${code}\`\`\``);
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

test("the record store of the guide keeps the longest keys in the order of their bytes", async () => {
  const { records, other, dispose } = await opened();
  onTestFinished(dispose);
  const collection = Array.from({ length: 7 }, () => "😀".repeat(200));
  const wide = ["", "\uff5e", "😀"].map((last) => `${"😀".repeat(199)}${last}`);
  const log = "x".repeat(120);
  for (const name of wide.toReversed())
    await records.write([...collection, name], { value: name, append: { [log]: [name] } });
  const page = await other.list(collection, { limit: 2 });
  expect(page.records.map(({ name }) => name)).toEqual(wide.slice(0, 2));
  expect((await other.list(collection, { after: page.next })).records).toMatchObject([{ name: wide[2] }]);
  for (const name of wide) expect(await other.read([...collection, name], log, ALL)).toEqual([name]);
});

test("the record store of the guide tells watchers that missed more changes than are kept", async () => {
  const { records, other, dispose } = await opened();
  onTestFinished(dispose);
  // The first handle has looked for no change yet.
  await other.write(KEY, { value: 1 });
  await Promise.all(Array.from({ length: 1100 }, (_, at) => other.write(["test", `${at}`], { value: at })));
  let told = 0;
  records.watch(KEY, () => void told++);
  await expect.poll(() => told).toBeGreaterThan(0);
});

test("the record store of the guide changes nothing where a part of a write fails", async () => {
  const { records, path, dispose } = await opened();
  onTestFinished(dispose);
  const database = open({ path });
  const openTable = database.openDB.bind(database);
  const fail = () => {
    throw new Error("There is no room.");
  };
  Object.assign(database, {
    openDB: (name: string, options: object) =>
      Object.assign(openTable(name, options), name.endsWith("logs") && { putSync: fail }),
  });
  const failing = lmdbRecords({ database });
  const ok = failing.write(["test", "other"], { value: 1 });
  await failsWith(failing.write(KEY, { value: 1, append: { log: [1] } }), "BACKEND_FAILED");
  await ok;
  expect((await records.list(["test"])).records.map(({ name }) => name)).toEqual(["other"]);
  await failing.close();
  await database.close();
});

test("a server keeps its conversations in the record store of the guide", async () => {
  const { records, other, dispose } = await opened();
  onTestFinished(dispose);
  const serving = (kept: typeof records) =>
    agentServer({
      agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
      records: kept,
      authenticate: () => ({ id: "ada" }),
    });
  const url = "http://localhost/v1/conversations";
  await using one = serving(records);
  const body = JSON.stringify({ title: "Kept" });
  await one.fetch(
    new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body }),
  );
  await using next = serving(other);
  expect(await (await next.fetch(new Request(url))).text()).toContain('"Kept"');
});

if (hasAll("packages/core/dist"))
  describe("processes that share the record store of the guide", () => {
    test("lose no change of each other, and watchers are told of each", async () => {
      const { path, records, dispose } = await opened();
      onTestFinished(dispose);
      const seen: unknown[] = [];
      records.watch(KEY, async () => seen.push((await records.get(KEY)).value));
      const ends = ["a", "b"].map((name) => once(counting(path, name, 200), "close"));
      expect(await Promise.all(ends)).toEqual([
        [0, null],
        [0, null],
      ]);
      await expect.poll(() => seen.at(-1)).toBe(400);
      const entries = await records.read(KEY, "one", ALL);
      expect(await records.read(KEY, "two", ALL)).toEqual(entries);
      for (const name of ["a", "b"])
        expect(entries.filter((entry) => `${entry}`.startsWith(name))).toEqual(
          Array.from({ length: 200 }, (_, round) => `${name} ${round}`),
        );
    });

    test("see what another process wrote since the last look, in the same turn of the event loop", async () => {
      const { path, records, dispose } = await opened();
      onTestFinished(dispose);
      const before = records.get(KEY);
      execFileSync(process.execPath, [...COUNT, path, "a", "3"]);
      const after = records.get(KEY);
      expect([(await before).value, (await after).value]).toEqual([undefined, 3]);
    });

    test("that are killed leave each write either done or not done, and others go on", async () => {
      const { path, records, dispose } = await opened();
      onTestFinished(dispose);
      for (let time = 0; time < 5; time++) {
        const before = Number((await records.get(KEY)).value ?? 0);
        const child = counting(path, `${time}`, Number.MAX_SAFE_INTEGER);
        const ended = once(child, "close");
        await expect.poll(async () => Number((await records.get(KEY)).value ?? 0)).toBeGreaterThan(before);
        child.kill("SIGKILL");
        await ended;
        const { value, revision } = await records.get(KEY);
        for (const log of ["one", "two"])
          expect(await records.read(KEY, log, { from: 0, limit: 1_000_000 })).toHaveLength(Number(value));
        expect(await records.write(KEY, { from: revision, value: 0, drop: ["one", "two"] })).toBeTypeOf(
          "string",
        );
      }
    });
  });

async function opened() {
  const path = await mkdtemp(join(tmpdir(), "skillwright-own-records-"));
  const databases = [open({ path }), open({ path })] as const;
  const [records, other] = [lmdbRecords({ database: databases[0] }), lmdbRecords({ database: databases[1] })];
  const dispose = async () => {
    for (const part of [records, other, ...databases]) await part.close();
    await rm(path, { recursive: true });
  };
  return { path, records, other, dispose };
}

function counting(path: string, name: string, rounds: number) {
  const stdio = ["ignore", "ignore", "inherit"] as const;
  const child = spawn(process.execPath, [...COUNT, path, name, String(rounds)], { stdio: [...stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
