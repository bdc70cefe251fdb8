import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everyOf } from "../../../test/full-form.js";
import { hasAll } from "../../../test/needs/has-all.js";
import { fsRecords } from "../src/index.js";
import { isFinished, logFile } from "../src/records/locked-record.js";
import { readHead } from "../src/records/record-file.js";
import { collectionFolder, recordFolderName } from "../src/records/record-folder.js";
import { hasLine } from "../src/records/record-logs.js";
import { type ChildResult, runChild } from "./children.js";
import { temporaryDirectory } from "./fs-subject.js";

const PATIENCE = { timeout: 180_000 };
const KEY = ["records", "one"];
const ALL = { from: 0, limit: 100 };
const OLD_LOGS = { kept: ["old"], dropped: ["old"], gone: ["old"] };
/** Has the same number of bytes as the record that replaces it. */
const OLD = { value: "old", holder: "h", append: OLD_LOGS };
const BEFORE = { kept: ["old"], dropped: ["old"], gone: ["old"], added: [] };
const AFTER = { kept: ["old", "new", "ä"], dropped: ["new"], gone: [], added: ["new"] };
type Log = keyof typeof BEFORE;
const LOGS = Object.keys(BEFORE) as Log[];

if (hasAll("packages/repository-fs/dist"))
  describe("a process that is killed before any of its calls, or in the middle of writing", () => {
    test("leaves a write of a record done in all its logs, or not at all", PATIENCE, async () => {
      const points = new Set<string>();
      const steps = await atEveryStep(
        "record",
        async (root) => {
          points.add(await pointOf(root));
          for (const readers of [[...LOGS], [...LOGS].reverse()]) {
            const records = fsRecords({ root });
            const { value } = await records.get(KEY);
            const expected = value === "old" ? BEFORE : AFTER;
            for (const log of readers) expect(await records.read(KEY, log, ALL), log).toEqual(expected[log]);
          }
        },
        { steps: (last) => Array.from({ length: last }, (_, index) => index + 1) },
      );
      expect(steps).toBeGreaterThan(12);
      // With the lines that are written, and those that are written in part.
      expect([...points].sort()).toEqual(
        [
          "new, ",
          "new, kept",
          "new, kept dropped",
          "new, kept dropped (added)",
          "new, kept dropped added",
          "new, kept (dropped)",
          "new, (kept)",
          "old",
        ].sort(),
      );
    });

    test("and what comes next finishes the write, whether it appends or writes", PATIENCE, async () => {
      await atEveryStep("record", async (root) => {
        const records = fsRecords({ root });
        expect(await records.append(KEY, { log: "added", holder: "h", entries: ["next"] })).toBeDefined();
        const expected = (await records.get(KEY)).value === "old" ? BEFORE : AFTER;
        expect(await records.read(KEY, "added", ALL)).toEqual([...expected.added, "next"]);
        expect(await records.read(KEY, "kept", ALL)).toEqual(expected.kept);
      });
      await atEveryStep("record", async (root) => {
        const records = fsRecords({ root });
        const { value, revision } = await records.get(KEY);
        const expected = value === "old" ? BEFORE : AFTER;
        await records.write(KEY, { from: revision, value: "next", append: { dropped: ["next"] } });
        expect(await records.read(KEY, "dropped", ALL)).toEqual([...expected.dropped, "next"]);
        for (const log of ["kept", "gone", "added"] as const)
          expect(await records.read(KEY, log, ALL)).toEqual(expected[log]);
      });
    });

    test("leaves a first write done, or no record", PATIENCE, async () => {
      await atEveryStep(
        "record",
        async (root) => {
          const records = fsRecords({ root });
          const exists = (await records.get(KEY)).value === "new";
          expect((await records.list(["records"])).records).toHaveLength(exists ? 1 : 0);
          const expected = exists ? ["new", "ä"] : [];
          expect(await records.read(KEY, "kept", ALL)).toEqual(expected);
          expect(await records.delete(KEY)).toBe(exists);
          await records.write(KEY, { from: null, value: 1 });
          expect(await records.read(KEY, "kept", ALL)).toEqual([]);
        },
        { prepare: async () => undefined },
      );
    });

    test("leaves a record deleted with its logs, or there with them", PATIENCE, async () => {
      await atEveryStep("forget", async (root) => {
        const records = fsRecords({ root });
        const exists = (await records.get(KEY)).revision !== undefined;
        for (const log of LOGS) expect(await records.read(KEY, log, ALL)).toEqual(exists ? BEFORE[log] : []);
        if (!exists) await records.write(KEY, { from: null, value: 1 });
        for (const log of LOGS) expect(await records.read(KEY, log, ALL)).toEqual(exists ? BEFORE[log] : []);
      });
    });

    test(
      "leaves nothing of a record that was not created or was deleted, once the collection has been listed",
      PATIENCE,
      async () => {
        const left = new Set<string>();
        for (const [what, prepare] of [
          ["record", async () => undefined],
          ["forget", async (root: string) => void (await fsRecords({ root }).write(KEY, OLD))],
        ] as const)
          await atEveryStep(
            what,
            async (root) => {
              const before = await readdir(folderOf(root)).catch(() => []);
              const { records } = await fsRecords({ root }).list(["records"]);
              if (records.length > 0) return;
              for (const name of before) left.add(name.replace(/-.*-/, "-"));
              expect(await readdir(root), `after ${before}`).toEqual([]);
            },
            { prepare, steps: (last) => Array.from({ length: last }, (_, index) => index + 1) },
          );
        expect(left.size).toBeGreaterThan(2);
      },
    );

    test("leaves all entries of an append, or none", PATIENCE, async () => {
      const lengths = new Set<number>();
      await atEveryStep("log", async (root) => {
        const records = fsRecords({ root });
        const found = await records.read(KEY, "kept", ALL);
        expect([["old"], ["old", " 0", "more"]]).toContainEqual(found);
        lengths.add(found.length);
        const length = await records.append(KEY, { log: "kept", holder: "h", entries: ["next"] });
        expect(length).toBe(found.length + 1);
        expect(await records.read(KEY, "kept", ALL)).toEqual([...found, "next"]);
      });
      expect(lengths).toEqual(new Set([1, 3]));
    });

    test("two processes that append 200 times each lose nothing", PATIENCE, async () => {
      const { root, dispose } = await temporaryDirectory();
      const records = fsRecords({ root });
      await records.write(KEY, { value: 1, holder: "h" });
      await Promise.all(["a", "b"].map((text) => runChild(["log", root, text, "200"])));
      const found = await records.read(KEY, "kept", { from: 0, limit: 1000 });
      expect(found).toHaveLength(800);
      for (const text of ["a", "b"])
        expect(found.filter((entry) => String(entry).startsWith(`${text} `))).toEqual(
          Array.from({ length: 200 }, (_, index) => `${text} ${index}`),
        );
      for (const [index, entry] of found.entries()) expect(entry === "more").toBe(index % 2 === 1);
      await dispose();
    });
  });

/**
 * Kills a new child before each of these calls, by default a few in the short form, and in the middle of each one that writes, and checks the directory, which must have nothing
 * left over in the end. Returns the number of calls.
 */
async function atEveryStep(
  what: string,
  check: (root: string) => Promise<void>,
  {
    prepare = async (root: string) => void (await fsRecords({ root }).write(KEY, OLD)),
    steps = everyOf,
  }: { prepare?: (root: string) => Promise<void>; steps?: (last: number) => readonly number[] } = {},
): Promise<number> {
  const one = async (killAt?: number, isHalf = false): Promise<ChildResult> => {
    const { root, dispose } = await temporaryDirectory();
    await prepare(root);
    const result = await runChild([what, root], killAt, isHalf);
    await check(root);
    const records = fsRecords({ root });
    await records.write(KEY, { value: "last", drop: ["k", "d", "g", "a"] });
    const names = await readdir(folderOf(root));
    expect(names, `killed at call ${killAt}`).toEqual(["record.json"]);
    await records.delete(KEY);
    expect(await readdir(root)).toEqual([]);
    await dispose();
    return result;
  };
  const { calls, writing } = await one();
  for (const killAt of steps(calls)) await one(killAt);
  for (const killAt of writing) await one(killAt, true);
  return calls;
}

/** Which of the write's steps are done, with the lines that are in their logs. */
async function pointOf(root: string): Promise<string> {
  const folder = folderOf(root);
  const head = await readHead(folder);
  const lines: string[] = [];
  for (const { log, size, line } of head?.pending ?? []) {
    if (!head || line.includes("old")) return "old";
    const path = logFile(folder, head, log);
    if (await isFinished(folder, head, log)) lines.push(log);
    else if (await hasLine(path, { size: size + 1, line: "" })) lines.push(`(${log})`);
  }
  return `new, ${lines.join(" ")}`;
}

function folderOf(root: string): string {
  return join(collectionFolder(root, KEY.slice(0, -1)), recordFolderName(KEY.at(-1) ?? ""));
}
