export type { OwnChange, RecordChanges, RecordPlace } from "./changes/record-changes.js";
export type { CleanUpOptions, RemovedLeftovers } from "./content/clean-up.js";
export {
  type PostgresClient,
  type PostgresNotice,
  type PostgresPool,
  postgresDatabase,
} from "./database/postgres-database.js";
export type { SqlConnection, SqlDatabase, SqlRow, SqlValue } from "./database/sql-database.js";
export { type SqliteHandle, type SqliteOptions, sqliteDatabase } from "./database/sqlite-database.js";
export { type SqlRepository, type SqlRepositoryOptions, sqlRepository } from "./skills/sql-repository.js";
export { sqlArtifacts } from "./sql-artifacts.js";
export { sqlRecords } from "./sql-records.js";
