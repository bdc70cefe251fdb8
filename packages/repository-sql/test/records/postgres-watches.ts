import type { RecordEvent } from "@skillwright/core/adapter";
import { expect, it } from "vitest";
import { postgresDatabase, sqlRecords } from "../../src/index.js";
import type { PostgresServer } from "../databases/postgres-server.js";

/** A connection's last statement stays here while it waits for notices. */
const LISTENING = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %'";
const NAMES = Array.from({ length: 50 }, (_, index) => String(index));

/** Registers tests of how changes are told in PostgreSQL. */
export function testPostgresWatches(server: () => PostgresServer): void {
  it("watches 50 records with one connection, which runs nothing while nothing changes, and is given back at the end", async () => {
    const { location, database, other, tapped, dispose } = await server().fresh();
    const statements: string[] = [];
    const watching = await tapped((text) => void statements.push(text));
    const records = sqlRecords({ database: watching });
    const told: [name: string, event: RecordEvent][] = [];
    const ends = NAMES.map((name) => records.watch(["test", name], (event) => void told.push([name, event])));
    await expect.poll(() => told.length).toBe(NAMES.length);
    expect(told).toEqual(NAMES.map((name) => [name, "any"]));
    told.length = 0;
    const holder = "holder";
    await sqlRecords({ database }).write(["test", "another"], { value: 1 });
    await sqlRecords({ database }).write(["test", "7"], { value: 1, holder });
    await sqlRecords({ database: other }).append(["test", "7"], { log: "log", holder, entries: [1] });
    await expect
      .poll(() => told)
      .toEqual([
        ["7", "value"],
        ["7", "log"],
      ]);
    expect(statements).toEqual(["LISTEN skillwright_record"]);
    const admin = server().pool(location);
    expect((await admin.query(LISTENING)).rows).toHaveLength(1);
    for (const end of ends) end();
    await expect.poll(() => statements).toEqual(["LISTEN skillwright_record", "UNLISTEN skillwright_record"]);
    records.watch(["test", "7"], (event) => void told.push(["again", event]));
    await expect.poll(() => told).toContainEqual(["again", "any"]);
    // The pool of an open watch could not be ended.
    await watching.close();
    await dispose();
  });

  it("listens again after its connection was lost, and tells that changes may have been missed", async () => {
    const { location, database, dispose } = await server().fresh();
    const admin = server().pool(location);
    const told: RecordEvent[] = [];
    const records = sqlRecords({ database });
    records.watch(["test", "one"], (event) => void told.push(event));
    for (let round = 1; round <= 2; round++) {
      await expect.poll(() => told).toEqual(["any"]);
      told.length = 0;
      const { rows } = await admin.query(LISTENING);
      expect(rows).toHaveLength(1);
      await admin.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    }
    await expect.poll(() => told).toEqual(["any"]);
    await sqlRecords({ database }).write(["test", "one"], { value: 1 });
    await expect.poll(() => told).toEqual(["any", "value"]);
    await records.close();
    await dispose();
  });

  it("goes on asking for a connection until the server can be reached", async () => {
    const { location, dispose } = await server().fresh();
    const pool = server().pool(location);
    let refused = 0;
    let isReachable = true;
    const database = await postgresDatabase({
      pool: {
        connect: async () => {
          if (isReachable) return await pool.connect();
          refused++;
          throw new Error("The server cannot be reached.");
        },
      },
    });
    isReachable = false;
    const told: RecordEvent[] = [];
    sqlRecords({ database }).watch(["test", "one"], (event) => void told.push(event));
    await expect.poll(() => refused).toBeGreaterThan(2);
    isReachable = true;
    await expect.poll(() => told).toEqual(["any"]);
    await database.close();
    await dispose();
  });
}
