import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type SqlDatabase, type SqliteHandle, sqliteDatabase } from "../../src/index.js";
import type { FreshDatabase, SharedDatabase, Tap } from "./subjects.js";

/** A new file with two connections, as two processes would have them. */
export async function freshSqlite(): Promise<SharedDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-sqlite-"));
  const location = join(directory, "skills.sqlite");
  const [database, other] = [await sqliteDatabase(location), await sqliteDatabase(location)];
  const handles: DatabaseSync[] = [];

  async function tapped(tap: Tap): Promise<SqlDatabase> {
    const handle = new DatabaseSync(location);
    handles.push(handle);
    let isOpen = false;
    const seen = (text: string, values: readonly unknown[]): void => {
      try {
        if (isOpen) tap(text, values);
      } catch (error) {
        if (handle.isOpen) handle.close();
        throw error;
      }
    };
    const watched: SqliteHandle = {
      exec(text) {
        seen(text, []);
        handle.exec(text);
      },
      prepare: (text) => ({
        all(...values) {
          seen(text, values);
          return handle.prepare(text).all(...values);
        },
      }),
      close: () => handle.close(),
    };
    const made = await sqliteDatabase(watched);
    isOpen = true;
    return made;
  }

  async function dispose(): Promise<void> {
    await database.close();
    await other.close();
    for (const handle of handles) if (handle.isOpen) handle.close();
    await rm(directory, { recursive: true });
  }

  return { location, database, other, tapped, dispose };
}

/** A new file with two connections, of which the other one is a given handle. */
export async function freshOpen(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-sqlite-"));
  const location = join(directory, "skills.sqlite");
  const other = await sqliteDatabase(location);
  const handle = new DatabaseSync(location);
  const database = await sqliteDatabase(handle);

  async function dispose(): Promise<void> {
    await database.close();
    await other.close();
    handle.close();
    await rm(directory, { recursive: true });
  }

  return { database, other, dispose };
}

/** One connection, because memory has no other. */
export async function freshMemory(): Promise<FreshDatabase> {
  const database = await sqliteDatabase(":memory:");
  return { database, other: database, dispose: () => database.close() };
}
