import { chmod, cp, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failsWith } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsRecords } from "../src/index.js";
import { collectionFolder, recordFolderName } from "../src/records/record-folder.js";
import { temporaryDirectory } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

const COLLECTION = ["turns", "ada"];
const KEY = [...COLLECTION, "one"];
const OTHER = [...COLLECTION, "two"];
const ALL = { from: 0, limit: 100 };
const ENTRY = { log: "log", holder: "h", entries: [1] };

function folderOf(key: readonly string[]): string {
  return join(collectionFolder(root, key.slice(0, -1)), recordFolderName(key.at(-1) ?? ""));
}

function fileOf(key: readonly string[]): string {
  return join(folderOf(key), "record.json");
}

/** Asserts that every call of the record is an error with the path of its file, and that none changes the file. */
async function isRefused(key: readonly string[], file: string): Promise<void> {
  const records = fsRecords({ root });
  const before = await readFile(file, "utf8");
  for (const call of [
    () => records.get(key),
    () => records.read(key, "log", ALL),
    () => records.list(key.slice(0, -1)),
    () => records.write(key, { value: 1 }),
    () => records.write(key, { from: null, value: 1 }),
    () => records.append(key, ENTRY),
    () => records.delete(key, { from: "some" }),
  ])
    expect((await failsWith(call(), "BACKEND_FAILED")).message).toContain(file);
  expect(await readFile(file, "utf8")).toBe(before);
}

describe("a record that this release cannot read", () => {
  for (const [what, change] of [
    ["is no JSON", () => "damaged"],
    ["is cut off", (text: string) => text.slice(0, 40)],
    ["is of a later release", (text: string) => text.replace('"formatVersion":1', '"formatVersion":2')],
    ["has no revision", (text: string) => text.replace('"revision"', '"other"')],
    ["has no name", (text: string) => text.replace('"name"', '"other"')],
    ["has no collection", (text: string) => text.replace('"collection"', '"other"')],
    ["is empty", () => ""],
  ] as const)
    test(`is an error where it ${what}, is not replaced, and can be deleted`, async () => {
      const records = fsRecords({ root });
      await records.write(KEY, { value: 1, holder: "h", append: { log: [1] } });
      await writeFile(fileOf(KEY), change(await readFile(fileOf(KEY), "utf8")));
      await isRefused(KEY, fileOf(KEY));
      expect(await records.delete(KEY)).toBe(true);
      expect(await readdir(root)).toEqual([]);
    });

  test("is an error of its value where only that is damaged, and the next write replaces it", async () => {
    const records = fsRecords({ root });
    await records.write(KEY, { value: "old", append: { log: [1] } });
    const text = await readFile(fileOf(KEY), "utf8");
    for (const damaged of [text.replace('"value":"old"', '"value":"o'), text.replace('"value"', '"other"')]) {
      await writeFile(fileOf(KEY), damaged);
      for (const call of [() => records.get(KEY), () => records.list(COLLECTION)])
        expect((await failsWith(call(), "BACKEND_FAILED")).message).toContain(fileOf(KEY));
    }
    await records.write(KEY, { value: "new", append: { log: [2] } });
    expect((await records.get(KEY)).value).toBe("new");
    expect(await records.read(KEY, "log", ALL)).toEqual([1, 2]);
  });

  test("is not taken for another one in whose directory it was put", async () => {
    const records = fsRecords({ root });
    await records.write(KEY, { value: "of one", holder: "h", append: { log: [1] } });
    await cp(folderOf(KEY), folderOf(OTHER), { recursive: true });
    await isRefused(OTHER, fileOf(OTHER));
    expect((await records.get(KEY)).value).toBe("of one");
    await records.delete(OTHER);
    const elsewhere = ["others", "one"];
    await rename(collectionFolder(root, COLLECTION), collectionFolder(root, ["others"]));
    await isRefused(elsewhere, fileOf(elsewhere));
  });
});

test("a log that is damaged is an error with its path, and the record can be deleted", async () => {
  const records = fsRecords({ root });
  await records.write(KEY, { value: 1, holder: "h", append: { log: [1] } });
  const [log = ""] = (await readdir(folderOf(KEY))).filter((name) => name.endsWith(".jsonl"));
  const file = join(folderOf(KEY), log);
  await writeFile(file, `${"damaged".repeat(20)}\n`);
  for (const call of [() => records.read(KEY, "log", ALL), () => records.append(KEY, ENTRY)])
    expect((await failsWith(call(), "BACKEND_FAILED")).message).toContain(file);
  expect(await records.delete(KEY)).toBe(true);
  expect(await readdir(root)).toEqual([]);
});

describe("something else in the place of a file", () => {
  test("a link in the place of a record is not followed, and a write replaces it", async () => {
    const records = fsRecords({ root: join(root, "records") });
    const place = fsRecords({ root });
    await place.write(KEY, { value: "elsewhere" });
    const outside = fileOf(KEY);
    const before = await readFile(outside, "utf8");
    await records.write(KEY, { value: "own" });
    const own = outside.replace(root, join(root, "records"));
    await rename(own, `${own}.old`);
    await symlink(outside, own);
    expect((await records.get(KEY)).value).toBeUndefined();
    expect((await records.list(COLLECTION)).records).toEqual([]);
    expect(await records.write(KEY, { from: null, value: "new" })).toBeDefined();
    expect((await records.get(KEY)).value).toBe("new");
    expect(await readFile(outside, "utf8")).toBe(before);
  });

  test("a file in the place of the directory is an error of every change, and stays", async () => {
    const file = join(root, "records");
    await writeFile(file, "a file");
    const records = fsRecords({ root: file });
    expect((await records.get(KEY)).value).toBeUndefined();
    expect((await failsWith(records.write(KEY, { value: 1 }), "BACKEND_FAILED")).message).toContain(file);
    expect(await readFile(file, "utf8")).toBe("a file");
  });
});

if (process.getuid?.() !== 0)
  test("a directory that cannot be written is BACKEND_FAILED with its path", async () => {
    await chmod(root, 0o555);
    try {
      const records = fsRecords({ root: join(root, "records") });
      expect((await failsWith(records.write(KEY, { value: 1 }), "BACKEND_FAILED")).message).toContain(root);
    } finally {
      await chmod(root, 0o755);
    }
  });
