import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import type { RecordStore } from "@skillwright/core";
import type { RecordEvent } from "@skillwright/core/adapter";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsRecords } from "../src/index.js";
import { temporaryDirectory } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => {
  for (const records of stores.splice(0)) await records.close();
  await dispose();
});

const KEY = ["turns", "ada", "one"];
const ALL = { from: 0, limit: 100_000 };
const LOG = { log: "log", holder: "h" };

const stores: RecordStore[] = [];

/** A store whose watches end with the test. */
function opened(place = root) {
  const records = fsRecords({ root: place });
  stores.push(records);
  return records;
}

async function filesNamed(end: string): Promise<readonly string[]> {
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith(end)).map((name) => join(root, name));
}

describe("logs of records in a directory", () => {
  test("the part of a line that a killed process wrote is not read, and the next call replaces it", async () => {
    const records = opened();
    await records.write(KEY, { value: 1, holder: "h", append: { log: ["first"] } });
    const [log = ""] = await filesNamed(".jsonl");
    await appendFile(log, '{"at":1,"to":2,"entries":["cut o');
    expect(await records.read(KEY, "log", ALL)).toEqual(["first"]);
    expect(await opened().append(KEY, { ...LOG, entries: ["second", "third"] })).toBe(3);
    await appendFile(log, '{"at":3,"to":4,"entries":["cut again');
    await records.write(KEY, { value: 2, holder: "h", append: { log: ["fourth"] } });
    expect(await readFile(log, "utf8")).toBe(
      '{"at":0,"to":1,"entries":["first"]}\n{"at":1,"to":3,"entries":["second","third"]}\n{"at":3,"to":4,"entries":["fourth"]}\n',
    );
    expect(await records.read(KEY, "log", { from: 2, limit: 2 })).toEqual(["third", "fourth"]);
  });

  test("lines longer than what is read at once, and parts of them, are read whole", async () => {
    const records = opened();
    const long = ["ä".repeat(200_000), "short", "x".repeat(70_000)];
    await records.write(KEY, { value: 1, holder: "h", append: { log: long } });
    expect(await records.append(KEY, { ...LOG, entries: ["next"] })).toBe(4);
    const entries = [...long, "next"];
    for (const from of [0, 1, 2, 3, 0, 4])
      for (const limit of [1, 2, 10])
        expect(await records.read(KEY, "log", { from, limit })).toEqual(entries.slice(from, from + limit));
  });

  test("neither reading on nor adding reads what is before", async () => {
    const records = opened();
    await records.write(KEY, { value: 1, holder: "h", append: { log: Array(1000).fill("x".repeat(1000)) } });
    const entries = await records.read(KEY, "log", ALL);
    const [log = ""] = await filesNamed(".jsonl");
    // What is before cannot be read any more.
    const bytes = await readFile(log);
    const file = await fs.promises.open(log, "r+");
    await file.write(Buffer.alloc(100, "?"), 0, 100, bytes.length >> 1);
    await file.close();
    expect(await records.append(KEY, { ...LOG, entries: ["next"] })).toBe(entries.length + 1);
    expect(await records.read(KEY, "log", { from: entries.length, limit: 10 })).toEqual(["next"]);
  });

  test("a log that is dropped and written again never shows what it had before", async () => {
    const [records, other] = [opened(), opened()];
    for (let round = 0; round < 5; round++) {
      const append = { log: [round], "a.b": [round] };
      Object.defineProperty(append, "__proto__", { value: [round], enumerable: true });
      await records.write(KEY, { value: round, holder: "h", drop: ["l", "__p"], append });
      expect(await other.read(KEY, "log", ALL)).toEqual([round]);
      expect(await other.read(KEY, "__proto__", ALL)).toEqual([round]);
      expect(await other.append(KEY, { ...LOG, entries: ["more"] })).toBe(2);
      expect(await records.read(KEY, "log", ALL)).toEqual([round, "more"]);
    }
    expect(await records.read(KEY, "a.b", ALL)).toEqual([0, 1, 2, 3, 4]);
    await records.write(KEY, { value: 1, drop: ["l", "__p"] });
    expect(await filesNamed(".jsonl")).toHaveLength(1);
    await records.write(KEY, { value: 1 });
    expect(JSON.parse(await readFile((await filesNamed("record.json"))[0] ?? "", "utf8"))).toMatchObject({
      generations: [],
      pending: [],
      value: 1,
    });
  });
});

describe("records in a directory", () => {
  test("belong to this user only", async () => {
    const records = opened(join(root, "records"));
    await records.write(KEY, { value: "secret", append: { log: ["secret"] } });
    records.watch(["others", "one"], () => undefined);
    const names = await readdir(root, { recursive: true, withFileTypes: true });
    expect(names.length).toBeGreaterThan(4);
    for (const one of names)
      expect((await stat(join(one.parentPath, one.name))).mode & 0o077, one.name).toBe(0);
  });

  test("leave nothing behind when they are deleted, or were never written", async () => {
    const records = opened();
    await records.write(KEY, { value: 1, append: { log: [1], other: [1] } });
    await records.delete(KEY);
    await records.write(KEY, { from: "none", value: 1 });
    await records.append(KEY, { ...LOG, entries: [1] });
    await records.delete(KEY);
    await records.get(KEY);
    expect(await readdir(root)).toEqual([]);
  });

  test("are listed by the bytes of long names that begin alike", async () => {
    const records = opened();
    const start = "x".repeat(62);
    const ends = ["", "y", "yy", "yya", "yyb", "yyé", "yy\uff5e", "yy😀", "z", "zz"];
    const names = [...ends.map((end) => start + end), "w".repeat(100), "y".repeat(100), "y"];
    for (const name of names) await records.write(["long", name], { value: name });
    const sorted = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const limit of [1, 2, 5, 100]) {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await records.list(["long"], { limit, after });
        found.push(...page.records.map(({ name }) => name));
        after = page.next;
      } while (after !== undefined);
      expect(found).toEqual(sorted);
    }
  });

  test("are read by a list by key only where they are in the page", async () => {
    const records = opened();
    for (const name of ["a", "b", "c", "d"]) await records.write(["some", name], { value: name });
    for (const file of await filesNamed("record.json"))
      if (!(await readFile(file, "utf8")).includes('"value":"a"')) await writeFile(file, "damaged");
    await records.write(["some", "bb"], { value: "bb" });
    const page = { limit: 1 };
    expect(await records.list(["some"], page)).toMatchObject({ records: [{ name: "a" }], next: "a" });
    expect(await records.list(["some"], { ...page, after: "b" })).toMatchObject({
      records: [{ name: "bb" }],
    });
    await expect(records.list(["some"], { limit: 2 })).rejects.toMatchObject({ code: "BACKEND_FAILED" });
  });

  test("are listed by age in the order of their writes, however fast those follow one another", async () => {
    const records = opened();
    const names = Array.from({ length: 50 }, (_, index) => `${(index * 37) % 50}`);
    for (const name of names) await records.write(["aged", name], { value: 1 });
    const { records: found } = await records.list(["aged"], { order: "newest" });
    expect(found.map(({ name }) => name)).toEqual([...names].reverse());
    const [file = ""] = await filesNamed("record.json");
    expect(Math.abs((await stat(file)).mtimeMs - Date.now())).toBeLessThan(600_000);
  });

  test("end a page before its limit where values are large, and the next one brings the rest", async () => {
    const records = opened();
    const value = "x".repeat(17 * 1024 * 1024);
    for (const name of ["a", "b", "c"]) await records.write(["large", name], { value });
    for (const order of ["key", "newest"] as const) {
      const first = await records.list(["large"], { order });
      const second = await records.list(["large"], { order, after: first.next });
      expect([first.records.length, second.records.length, second.next]).toEqual([2, 1, undefined]);
    }
  });
});

describe("watches of records in a directory", () => {
  /** Collects events, which other changes of the same kind may follow. */
  function watched(records = opened(), key: readonly string[] = KEY) {
    const events: RecordEvent[] = [];
    const end = records.watch(key, (event) => void events.push(event));
    const told = async (...expected: RecordEvent[]) => {
      await expect.poll(() => events.filter((event) => expected.includes(event)).length).toBeGreaterThan(0);
      events.length = 0;
    };
    return { events, end, told };
  }

  test("tell of a record that is made, changed, removed and made again", async () => {
    const [records, other] = [opened(), opened()];
    const { told } = watched(records);
    for (let round = 0; round < 3; round++) {
      await other.write(KEY, { value: 1, holder: "h" });
      await told("any", "value");
      await expect.poll(() => other.append(KEY, { ...LOG, entries: [1] })).toBeDefined();
      await told("log", "any");
      await other.delete(KEY);
      await told("any", "value");
    }
  });

  test("tell of a log and of a value apart, and not of other records", async () => {
    const records = opened();
    const neighbour = [...KEY.slice(0, -1), "two"];
    for (const key of [KEY, neighbour]) await records.write(key, { value: 1, holder: "h" });
    const { events: others } = watched(records, neighbour);
    const { events, told } = watched(records);
    await records.append(KEY, { ...LOG, entries: [1] });
    await expect.poll(() => events).toContain("log");
    expect(events).not.toContain("value");
    await records.write(KEY, { value: 1 });
    await told("value");
    expect(others.filter((event) => event !== "any")).toEqual([]);
  });

  test("use one watcher for each directory, and none after they have ended", async () => {
    const watch = vi.spyOn(fs, "watch");
    syncBuiltinESMExports();
    onTestFinished(() => {
      watch.mockRestore();
      syncBuiltinESMExports();
    });
    const records = opened();
    await records.write(KEY, { value: 1 });
    const ends = Array.from({ length: 200 }, (_, index) => [
      records.watch(KEY, () => undefined),
      records.watch(["none", `${index}`], () => undefined),
    ]);
    const watchers = watch.mock.results.flatMap(({ value }) =>
      value instanceof EventEmitter ? [value] : [],
    );
    expect(watchers).toHaveLength(2);
    const closed = watchers.map((watcher) => once(watcher, "close"));
    for (const end of ends.flat()) end();
    await Promise.all(closed);
  });

  test("look again after ten seconds, for file systems that report nothing", async () => {
    const records = opened();
    await records.write(KEY, { value: 1 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { events } = watched(records);
    vi.advanceTimersByTime(9_999);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(10_000);
    expect(events).toEqual(["any", "any"]);
    await records.close();
    vi.advanceTimersByTime(60_000);
    expect(events).toHaveLength(2);
  });

  if (hasAll("packages/repository-fs/dist"))
    test("are told of other processes, and keep no process alive", async () => {
      const module = JSON.stringify(new URL("../dist/index.js", import.meta.url).href);
      const child = spawn(process.execPath, [
        "--input-type=module",
        "--eval",
        `const { fsRecords } = await import(${module});
        const records = fsRecords({ root: ${JSON.stringify(root)} });
        records.watch(${JSON.stringify(KEY)}, () => undefined);
        records.watch(["none", "one"], () => undefined);
        await records.write(${JSON.stringify(KEY)}, { value: "of the child" });`,
      ]);
      onTestFinished(() => void child.kill("SIGKILL"));
      const { told } = watched();
      const ended = once(child, "close");
      await told("value", "any");
      expect(await ended).toEqual([0, null]);
      expect((await opened().get(KEY)).value).toBe("of the child");
    });
});
