import fileSystem, { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { LOCK_NAME, MAKING_PREFIX } from "../src/files/own-names.js";
import { newProcessMark } from "../src/files/process-mark.js";
import { fsRecords } from "../src/index.js";
import { collectionFolder, recordFolderName } from "../src/records/record-folder.js";
import { runChild } from "./children.js";
import { temporaryDirectory } from "./fs-subject.js";

let root: string;
let dispose: () => Promise<void>;
beforeEach(async () => ({ root, dispose } = await temporaryDirectory()));
afterEach(async () => await dispose());

const KEY = ["records", "one"];

function folder(): string {
  return join(collectionFolder(root, ["records"]), recordFolderName("one"));
}

/** The record's lock as another process holds it or has left it, with this process's identity changed. */
async function locked(change: (holder: string) => string): Promise<string> {
  const holder = join(folder(), LOCK_NAME, change(await newProcessMark()));
  await mkdir(join(folder(), LOCK_NAME), { recursive: true });
  await writeFile(holder, "");
  return holder;
}

describe("the lock of a record", () => {
  for (const [what, change] of [
    ["has ended", (holder: string) => holder.replace(/^(\w+)-\d+-/, `$1-${2 ** 22 + 1}-`)],
    [
      "has an id that another program has now",
      (holder: string) => holder.replace(/^(\w+-\d+)-[0-9a-f]+-/, "$1-1-"),
    ],
  ] as const)
    test(`is taken over at once from a process that ${what}`, async () => {
      await locked(change);
      const records = fsRecords({ root });
      await records.write(KEY, { value: 1 });
      expect(await readdir(folder())).toEqual(["record.json"]);
      await records.delete(KEY);
      expect(await readdir(root)).toEqual([]);
    });

  for (const [what, change] of [
    ["lives", (holder: string) => holder],
    ["another machine has", (holder: string) => holder.replace(/^\w{12}/, "0123456789ab")],
  ] as const)
    test(`is waited for half a minute where its process is one that ${what}, and is an error then`, async () => {
      const holder = await locked(change);
      const now = performance.now.bind(performance);
      let aheadMs = 0;
      const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
      onTestFinished(() => clock.mockRestore());
      const ended = Promise.allSettled([fsRecords({ root }).write(KEY, { value: 1 })]);
      await expect
        .poll(async () => (await readdir(folder())).some((name) => name.startsWith(MAKING_PREFIX)))
        .toBe(true);
      aheadMs = 31_000;
      const [outcome] = await ended;
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "BACKEND_FAILED" } });
      expect(String(outcome.status === "rejected" && outcome.reason)).toContain(join(folder(), LOCK_NAME));
      expect(await readdir(folder(), { recursive: true })).toEqual(
        [LOCK_NAME, join(LOCK_NAME, holder.slice(folder().length + LOCK_NAME.length + 2))].sort(),
      );
    });

  test("is gone before the directory is removed, even if its removal takes long", async () => {
    const records = fsRecords({ root });
    await records.write(KEY, { value: 1 });
    const removeNow = rmdir;
    replaceCalls({
      rmdir: async (path) => {
        // In a busy thread pool, calls that were made later may run first.
        if (String(path).endsWith(LOCK_NAME)) for (let turn = 0; turn < 1000; turn++) await setImmediate();
        await removeNow(path);
      },
    });
    await records.delete(KEY);
    expect(await readdir(root)).toEqual([]);
  });

  test("is taken in a directory that others removed while it was created", async () => {
    const file = join(root, "file");
    await writeFile(file, "");
    const makeNow = mkdir;
    let left = 3;
    replaceCalls({
      // What it reports where a directory of the path goes away meanwhile.
      mkdir: (async (path, options) =>
        await makeNow(left-- > 0 ? join(file, "one") : path, options)) as typeof mkdir,
    });
    await fsRecords({ root: join(root, "records") }).write(KEY, { value: 1 });
    expect(left).toBeLessThan(0);
  });
});

function replaceCalls(calls: Partial<Pick<typeof fileSystem, "mkdir" | "rmdir">>): void {
  const before = { mkdir: fileSystem.mkdir, rmdir: fileSystem.rmdir };
  onTestFinished(() => {
    Object.assign(fileSystem, before);
    syncBuiltinESMExports();
  });
  Object.assign(fileSystem, calls);
  syncBuiltinESMExports();
}

if (hasAll("packages/repository-fs/dist"))
  test("processes that create a record where there is none take turns, and leave nothing", {
    timeout: 120_000,
  }, async () => {
    const place = join(root, "place");
    await Promise.all(["a", "b", "c"].map((text) => runChild(["turn", place, text, "25"])));
    const lines = (await readFile(`${place}.log`, "utf8")).trim().split("\n");
    expect(lines).toHaveLength(150);
    const begun = lines.filter((_, index) => index % 2 === 0);
    expect(lines.filter((_, index) => index % 2 === 1)).toEqual(
      begun.map((line) => line.replace("begin", "end")),
    );
    for (const text of ["a", "b", "c"])
      expect(begun.filter((line) => line.includes(` ${text} `))).toEqual(
        Array.from({ length: 25 }, (_, index) => `begin ${text} ${index}`),
      );
    expect(await readdir(place)).toEqual([]);
  });
