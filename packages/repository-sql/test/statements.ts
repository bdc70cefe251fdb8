import { randomBytes } from "node:crypto";
import { readBytes, readText, SkillError } from "@skillwright/core";
import { expect, it } from "vitest";
import { type SqlDatabase, sqlArtifacts, sqlRecords, sqlRepository } from "../src/index.js";
import type { SharedDatabase } from "./databases/subjects.js";
import { SCOPE, skill } from "./skill.js";

const RECORD = ["test", "ada", "one"];
const MIB = 1024 * 1024;
const CHANGES: Readonly<Record<string, (database: SqlDatabase) => Promise<unknown>>> = {
  "an upload": (database) => sqlRepository({ database }).upload(skill("one", { "new.txt": "new" })),
  "a deletion": (database) => sqlRepository({ database }).delete("one"),
  "a restore": (database) => sqlRepository({ database }).restore("gone"),
  "a purge": (database) => sqlRepository({ database }).purge("one"),
  "a saved artifact": (database) => sqlArtifacts({ database }).save(SCOPE, "x", "new"),
  "a written record with logs": (database) =>
    sqlRecords({ database }).write(RECORD, {
      value: "new",
      holder: "h",
      drop: ["old"],
      append: { log: ["new"] },
    }),
  "entries of a log": (database) =>
    sqlRecords({ database }).append(RECORD, { log: "log", holder: "h", entries: ["new"] }),
  "a deleted record": (database) => sqlRecords({ database }).delete(RECORD),
  "a deleted artifact": (database) => sqlArtifacts({ database }).delete(SCOPE, "x"),
};

/** Registers tests that count single statements, or cut the connection before one. */
export function testStatements(fresh: () => Promise<SharedDatabase>): void {
  it("lists 10,000 skills with one statement, finds and loads one with one, and opens a file with two", async () => {
    const { database, tapped, dispose } = await fresh();
    const skills = sqlRepository({ database });
    await skills.upload(skill("one", { "data.txt": "data" }));
    await multiply(database, 10_000);
    let count = 0;
    const counted = sqlRepository({ database: await tapped(() => void count++) });
    const statements = async (work: Promise<unknown>): Promise<number> => {
      count = 0;
      await work;
      return count;
    };
    expect(await statements(counted.list())).toBe(1);
    expect((await counted.list()).skills).toHaveLength(10_000);
    expect(await statements(counted.find?.("skill-7777") ?? Promise.reject())).toBe(1);
    expect(await statements(counted.load("one"))).toBe(1);
    expect(await statements(counted.open("one", "data.txt"))).toBe(2);
    await dispose();
  });

  it("stores and reads large content in statements of at most 1.25 MiB", async () => {
    const { tapped, dispose } = await fresh();
    const sizes: number[] = [];
    const database = await tapped((_, values) => {
      sizes.push(
        values.reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0),
      );
    });
    const artifacts = sqlArtifacts({ database });
    const content = randomBytes(9 * MIB + 5);
    await artifacts.save(SCOPE, "big", content);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(content.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1.25 * MIB);
    const pieces: Uint8Array[] = [];
    for await (const piece of (await artifacts.open(SCOPE, "big")).content) pieces.push(piece);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(256 * 1024);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    await dispose();
  });

  it("stores a file that did not change only once for all versions", async () => {
    const { database, dispose } = await fresh();
    const skills = sqlRepository({ database });
    const data = randomBytes(MIB);
    for (const text of ["a", "b", "c"]) await skills.upload(skill("one", { data, "note.txt": text }));
    const [row] = await database.query("SELECT SUM(LENGTH(bytes)) AS bytes FROM skillwright_chunk");
    expect(Number(row?.["bytes"])).toBeLessThan(1.1 * MIB);
    const [, , first] = await skills.versions("one");
    const old = await skills.open("one", "data", { version: first?.version });
    expect(Buffer.from(await readBytes(old, 2 * MIB)).equals(data)).toBe(true);
    expect(await skills.purge("one")).toBe(true);
    for (const table of ["chunk", "file", "folder", "version", "skill", "deletion"])
      expect(await database.query(`SELECT 1 AS one FROM skillwright_${table}`), table).toEqual([]);
    expect(await skills.purge("one")).toBe(false);
    await dispose();
  });

  it("keeps what was stored when only the answer to its commit is lost", async () => {
    const { database, dispose } = await fresh();
    const losing: SqlDatabase = {
      ...database,
      async transaction(work) {
        await database.transaction(work);
        throw new SkillError("BACKEND_FAILED", "The connection was lost.");
      },
    };
    const lost = { code: "BACKEND_FAILED" };
    const upload = sqlRepository({ database: losing }).upload(skill("one", { "data.txt": "data" }));
    await expect(upload).rejects.toMatchObject(lost);
    await expect(sqlArtifacts({ database: losing }).save(SCOPE, "x", "saved")).rejects.toMatchObject(lost);
    expect(await readText(await sqlRepository({ database }).open("one", "data.txt"), 10)).toBe("data");
    expect(await artifactTexts(database)).toEqual(["saved"]);
    await dispose();
  });

  it("reports a damaged record and a damaged entry, with what to do", async () => {
    const { database, dispose } = await fresh();
    const records = sqlRecords({ database });
    await records.write(["test", "a"], { value: 1, append: { log: [1] } });
    await database.query("UPDATE skillwright_record SET value = '{'");
    await database.query("UPDATE skillwright_record_log SET entry = '{'");
    const damaged = { code: "BACKEND_FAILED", message: expect.stringContaining('The record "a" is damaged') };
    await expect(records.get(["test", "a"])).rejects.toMatchObject(damaged);
    await expect(records.list(["test"])).rejects.toMatchObject(damaged);
    await expect(records.read(["test", "a"], "log", { from: 0, limit: 1 })).rejects.toMatchObject(damaged);
    await records.write(["test", "a"], { value: 2 });
    expect((await records.get(["test", "a"])).value).toBe(2);
    await expect(records.list(["test"], { order: "newest", after: "a" })).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
    await dispose();
  });

  it.each(Object.keys(CHANGES))(
    "leaves the old state or the new one when the connection ends before any statement of %s",
    async (what) => {
      const change = CHANGES[what];
      let seenNew = 0;
      for (let step = 0; ; step++) {
        const { database, tapped, dispose } = await fresh();
        await prepare(database);
        const before = await stateOf(database);
        let count = 0;
        const ending = await tapped(() => {
          if (count++ >= step) throw new Error("the connection ended");
        });
        const outcome = await change?.(ending).then(
          () => "done",
          (error: Error) => error.message,
        );
        const after = await stateOf(database);
        if (outcome === "done") expect(after).not.toEqual(before);
        else {
          expect(outcome).toContain("the connection ended");
          expect(after, `before statement ${step}`).toEqual(before);
        }
        // Other connections are not blocked.
        await sqlRepository({ database }).upload(skill("one", { "next.txt": "next" }));
        await sqlArtifacts({ database }).save(SCOPE, "x", "next");
        await sqlRecords({ database }).write(RECORD, { value: "next", append: { log: ["next"] } });
        await dispose();
        if (outcome === "done") seenNew++;
        if (seenNew > 0) break;
      }
    },
  );
}

async function prepare(database: SqlDatabase): Promise<void> {
  const skills = sqlRepository({ database });
  for (const text of ["older", "old"]) await skills.upload(skill("one", { "old.txt": text }));
  await skills.upload(skill("gone", { "kept.txt": "kept" }));
  await skills.delete("gone");
  await sqlArtifacts({ database }).save(SCOPE, "x", "old");
  const append = { log: ["old"], old: ["old"] };
  await sqlRecords({ database }).write(RECORD, { value: "old", holder: "h", append });
}

async function stateOf(database: SqlDatabase): Promise<unknown> {
  const skills = sqlRepository({ database });
  const { skills: listed } = await skills.list();
  const files = await Promise.all(
    listed.map(async ({ name }) => {
      const { manifest } = await skills.load(name);
      return await Promise.all(
        manifest.files.map(async ({ path }) =>
          Buffer.from(await readBytes(await skills.open(name, path), MIB)).toString(),
        ),
      );
    }),
  );
  const versions = await Promise.all(["one", "gone"].map((name) => skills.versions(name)));
  return {
    listed,
    files,
    versions,
    deleted: await skills.deleted(),
    artifacts: await artifactTexts(database),
    record: await recordState(database),
  };
}

async function recordState(database: SqlDatabase): Promise<unknown> {
  const records = sqlRecords({ database });
  const logs = ["log", "old"].map((log) => records.read(RECORD, log, { from: 0, limit: 10 }));
  return [(await records.get(RECORD)).value, await Promise.all(logs)];
}

async function artifactTexts(database: SqlDatabase): Promise<string[]> {
  const artifacts = sqlArtifacts({ database });
  const versions = await artifacts.versions(SCOPE, "x");
  return await Promise.all(
    versions.map(async ({ version }) => {
      const { content } = await artifacts.open(SCOPE, "x", { version });
      return Buffer.from(await readBytes(content, MIB)).toString();
    }),
  );
}

/** Copies the row of the one skill, under other names and paths, until there are so many. */
async function multiply(database: SqlDatabase, until: number): Promise<void> {
  const [row] = await database.query("SELECT summary FROM skillwright_skill");
  const summary = JSON.parse(String(row?.["summary"]));
  const names = Array.from({ length: until - 1 }, (_, index) => `skill-${index}`);
  for (let from = 0; from < names.length; from += 1000) {
    const some = names.slice(from, from + 1000);
    await database.query(
      `INSERT INTO skillwright_skill (repository, path, name, version, summary)
        VALUES ${some.map(() => "('skills', ?, ?, 1, ?)").join(", ")}`,
      some.flatMap((name) => [name, name, JSON.stringify({ ...summary, name, path: name })]),
    );
  }
}
