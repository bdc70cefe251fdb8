import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, vi } from "vitest";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import {
  postgresDatabase,
  type SqlDatabase,
  sqlArtifacts,
  sqliteDatabase,
  sqlRepository,
} from "../../../packages/repository-sql/src/index.js";
import { DAY, KIB, limitsOf, MINUTE } from "../limit.js";

const SCOPE = { app: "a", user: "u", session: "s" };

export const sqlLimits = limitsOf("repository-sql", [
  {
    option: "deleted skills that can be restored",
    kind: "limit",
    value: 32,
    unit: "skills",
    documented: ["README.md", "the 32 most recent deletions can be restored"],
    source: ["src/skills/deletions.ts", "MAX_KEPT = 32"],
    probe: async (value) => {
      const repository = sqlRepository({ database: await inMemory() });
      for (let n = 0; n <= value; n++) {
        await repository.upload([{ path: "SKILL.md", content: skillMarkdown("one") }]);
        await repository.delete("one");
      }
      expect(await repository.deleted()).toHaveLength(value);
    },
  },
  {
    option: "bytes of content in one row",
    kind: "limit",
    value: 256 * KIB,
    unit: "bytes",
    documented: ["README.md", "in rows of 256 KiB"],
    source: ["src/content/content-writer.ts", "CHUNK_BYTES = 256 * 1024"],
    probe: async (value) => {
      const database = await inMemory();
      await sqlArtifacts({ database }).save(SCOPE, "x", Buffer.alloc(value + 1));
      const rows = await database.query(
        "SELECT LENGTH(bytes) AS size FROM skillwright_chunk ORDER BY position",
      );
      expect(rows.map(({ size }) => size)).toEqual([value, 1]);
    },
  },
  {
    option: "`olderThanMs` of `cleanUp`",
    kind: "default",
    value: DAY,
    unit: "ms",
    documented: ["README.md", "older than a day (`olderThanMs`)"],
    source: ["src/content/clean-up.ts", "ONE_DAY_MS = 86_400_000"],
    probe: async (value) => {
      const database = await inMemory();
      const store = "INSERT INTO skillwright_chunk (content, position, bytes, stored_ms) VALUES (?, 0, ?, ?)";
      // Ten minutes apart from the limit, on both sides.
      for (const [id, age] of [
        ["old", value + 10 * MINUTE],
        ["young", value - 10 * MINUTE],
      ] as const)
        await database.query(store, [id, Buffer.from("x"), Date.now() - age]);
      await database.cleanUp();
      expect(await database.query("SELECT content FROM skillwright_chunk")).toMatchObject([
        { content: "young" },
      ]);
    },
  },
  {
    option: "`waitMs` of `sqliteDatabase`",
    kind: "default",
    value: 30_000,
    unit: "ms",
    documented: ["README.md", "A call waits `waitMs` (30,000)"],
    source: ["src/database/sqlite-database.ts", "waitMs = 30_000"],
    probe: async (value) => {
      const handle = new DatabaseSync(":memory:");
      onTestFinished(() => handle.close());
      const database = await sqliteDatabase(handle);
      const times = [value - 1, value];
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now);
      vi.spyOn(handle, "exec").mockImplementation(() => {
        now = times.shift() ?? Number.NaN;
        throw Object.assign(new Error("database is locked"), { errcode: 5 });
      });
      await expect(database.transaction(async () => undefined)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
      });
      expect(times).toEqual([]);
    },
  },
  {
    option: "attempts of a transaction that PostgreSQL refuses because of another one",
    kind: "limit",
    value: 10,
    unit: "attempts",
    documented: ["README.md", "is repeated, ten times at most"],
    source: ["src/database/postgres-database.ts", "MAX_ATTEMPTS = 10"],
    probe: async (value) => {
      let attempts = 0;
      const client = {
        async query(text: string) {
          if (text.startsWith("BEGIN")) attempts++;
          if (text === "COMMIT") throw Object.assign(new Error("could not serialize"), { code: "40001" });
          return { rows: [{ version: "3" }] };
        },
        ...{ release: () => undefined, on: () => undefined, off: () => undefined },
      };
      const database = await postgresDatabase({ pool: { connect: async () => client } });
      await expect(database.transaction(async () => undefined)).rejects.toMatchObject({
        code: "BACKEND_FAILED",
      });
      expect(attempts).toBe(value);
    },
  },
]);

async function inMemory(): Promise<SqlDatabase> {
  const database = await sqliteDatabase(":memory:");
  onTestFinished(() => database.close());
  return database;
}
