import { SkillError } from "@skillwright/core";
import { type ColumnTypes, MIGRATIONS, type Migration } from "../schema/migrations.js";
import type { SqlConnection, SqlDatabase } from "./sql-database.js";

/** SQL that differs between databases when tables are created. */
export interface MigrationDialect {
  readonly types: ColumnTypes;
  /** Query that returns a row if the table of migrations exists. */
  readonly tableExists: string;
  /** Statement that takes a lock until the end of the transaction; missing where transactions never run concurrently. */
  readonly lockForMigration: string | undefined;
}

/**
 * Applies the numbered migrations that the database does not have yet, in one transaction under a lock, so that of
 * several processes one applies them.
 * @throws SkillError `UNSUPPORTED` for a database that a newer release has changed.
 */
export async function migrate(
  database: Pick<SqlDatabase, "label" | "query" | "transaction">,
  { types, tableExists, lockForMigration }: MigrationDialect,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // The first check takes no lock, so that a read-only user can open an up-to-date database.
  if (missing(await versionOf(database)).length === 0) return;
  await database.transaction(async (connection) => {
    if (lockForMigration !== undefined) await connection.query(lockForMigration);
    const version = await versionOf(connection);
    if (version === undefined) await connection.query(migrationTable(types));
    for (const [number, statements] of missing(version)) {
      for (const statement of statements(types)) await connection.query(statement);
      await connection.query("INSERT INTO skillwright_migration (version, applied_at) VALUES (?, ?)", [
        number,
        new Date().toISOString(),
      ]);
    }
  });

  async function versionOf(connection: SqlConnection): Promise<number | undefined> {
    if ((await connection.query(tableExists)).length === 0) return undefined;
    const [row] = await connection.query("SELECT MAX(version) AS version FROM skillwright_migration");
    return Number(row?.["version"] ?? 0);
  }

  function missing(version: number | undefined): readonly (readonly [number, Migration])[] {
    if (version !== undefined && version > migrations.length) throw newer(version);
    return migrations
      .map((migration, index) => [index + 1, migration] as const)
      .filter(([number]) => number > (version ?? 0));
  }

  function newer(version: number): SkillError {
    const message = `${database.label} has schema ${version}, and this release of @skillwright/repository-sql knows schemas up to ${migrations.length}. Update the package, or name another database.`;
    return new SkillError("UNSUPPORTED", message, { details: { version, known: migrations.length } });
  }
}

function migrationTable({ integer, text }: ColumnTypes): string {
  return `CREATE TABLE skillwright_migration (version ${integer} PRIMARY KEY, applied_at ${text} NOT NULL)`;
}
