export { openDatabase } from "./open-database.ts";
export { type SqliteRepositoryOptions, sqliteRepository } from "./sqlite-repository.ts";
export { type SqliteSessionsOptions, sqliteSessions } from "./sqlite-sessions.ts";
