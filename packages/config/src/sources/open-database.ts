import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { SqlDatabase, SqlRepository } from "@skillwright/repository-sql";
import type { DatabasePlace } from "../clients/database-place.js";
import { databasePackage } from "../clients/sql-database.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import type { SkillSource } from "./skill-source.js";
import type { SourceClients } from "./source-clients.js";

export type DatabaseSource = SkillSource & { readonly kind: "sqlite" | "postgres" };

/** Opens the database of a source, or the same one again. With `create`, a missing SQLite file and its folder are created. */
export async function openDatabase(
  source: DatabaseSource,
  { cwd, clients }: { readonly cwd: string; readonly clients: Pick<SourceClients, "sql"> },
  create = false,
): Promise<SqlDatabase> {
  if (source.kind === "postgres") return await opened({ url: source.url });
  const path = resolve(cwd, source.path);
  if (create) await mkdir(dirname(path), { recursive: true });
  return await opened({ path, create });

  // `SourceClients` names no types of a package that may be missing.
  async function opened(place: DatabasePlace): Promise<SqlDatabase> {
    return (await clients.sql(place)) as SqlDatabase;
  }
}

/** The repository that the source names; the database is closed with the clients. */
export async function databaseRepository(
  source: DatabaseSource,
  options: Pick<OpenSourceOptions, "cwd" | "clients">,
  create = false,
): Promise<SqlRepository> {
  const database = await openDatabase(source, options, create);
  const { sqlRepository } = await databasePackage();
  return sqlRepository({ database, name: source.name });
}

export function isDatabase(source: SkillSource): source is DatabaseSource {
  return source.kind === "sqlite" || source.kind === "postgres";
}
