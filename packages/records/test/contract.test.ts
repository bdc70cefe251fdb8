import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { sqliteDatabase, sqlRecords } from "@skillwright/repository-sql";
import { describe } from "vitest";
import { testAllOver } from "./over-adapters.js";

describe("over memory", () =>
  testAllOver(async () => {
    const records = memoryRecords();
    return { records, other: records };
  }));

describe("over a folder", () =>
  testAllOver(async () => {
    const root = await mkdtemp(join(tmpdir(), "records-"));
    const [records, other] = [fsRecords({ root }), fsRecords({ root })];
    const dispose = async () => {
      await records.close();
      await other.close();
      await rm(root, { recursive: true });
    };
    return { records, other, dispose };
  }));

describe("over SQLite", () =>
  testAllOver(async () => {
    const root = await mkdtemp(join(tmpdir(), "records-"));
    const databases = await Promise.all([0, 1].map(() => sqliteDatabase(join(root, "records.sqlite"))));
    const [records, other] = databases.map((database) => sqlRecords({ database }));
    if (!records || !other) throw new Error("There are two handles.");
    const dispose = async () => {
      for (const part of [records, other, ...databases]) await part.close();
      await rm(root, { recursive: true });
    };
    return { records, other, dispose };
  }));
