import {
  type Closable,
  type Diagnostic,
  type MetadataIndex,
  type RecordStore,
  type SessionStore,
  SkillError,
  type TurnStore,
  type WorkspaceRegistry,
} from "@skillwright/core";
import { indexName } from "@skillwright/core/adapter";
import { recordRegistry, recordSessions, recordTurns } from "@skillwright/records";
import { importPeer, REDIS_PACKAGES } from "../clients/import-peer.js";
import { redisClient } from "../clients/redis-client.js";
import { databasePackage, sqlDatabase } from "../clients/sql-database.js";
import { isDatabase, openDatabase } from "../sources/open-database.js";
import { skillSource } from "../sources/skill-source.js";

export interface MetadataOptions {
  /** Absolute base of a relative SQLite file. Defaults to the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Receives diagnostics about values that cannot be read, with their keys. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Data that several hosts share besides skills and artifacts, on one server. `close` ends the connection. */
export interface Metadata extends Closable {
  /** Where the others are kept. */
  readonly records: RecordStore;
  readonly sessions: SessionStore;
  /** Turns of servers, each of which goes on with those of a process that has died. */
  readonly turns: TurnStore;
  readonly registry: WorkspaceRegistry;
  /** The index of the skills of one source: the same source always has the same index. A database has none. */
  index?(source: string): MetadataIndex;
}

/**
 * Opens shared metadata at `redis://[user:password@]host[:port][/db]`, or in a database: `sqlite:path` from the working
 * directory, `postgres://…`. Connects at once, so that an unreachable server is reported here. A missing SQLite file is created.
 * @throws SkillError `CONFIG_INVALID` for another address, `UNSUPPORTED` where its packages are not installed,
 * `BACKEND_FAILED` where the server does not answer.
 */
export async function openMetadata(address: string, options: MetadataOptions = {}): Promise<Metadata> {
  return /^(sqlite:|postgres)/i.test(address)
    ? await databaseMetadata(address, options)
    : await redisMetadata(address, options);
}

/** Everything that is kept in one store of records. */
export function keptIn(records: RecordStore): Pick<Metadata, "records" | "sessions" | "turns" | "registry"> {
  return {
    records,
    sessions: recordSessions(records),
    turns: recordTurns(records),
    registry: recordRegistry(records),
  };
}

async function databaseMetadata(
  address: string,
  { cwd = process.cwd() }: MetadataOptions,
): Promise<Metadata> {
  const source = skillSource(address);
  if (!isDatabase(source)) throw new SkillError("CONFIG_INVALID", "The metadata address is not a database.");
  const database = await openDatabase(source, { cwd, clients: { sql: sqlDatabase } }, true);
  const { sqlRecords } = await databasePackage();
  const records = sqlRecords({ database });

  async function close(): Promise<void> {
    await records.close();
    await database.close();
  }

  return { ...keptIn(records), close, [Symbol.asyncDispose]: close };
}

async function redisMetadata(address: string, { onDiagnostic }: MetadataOptions): Promise<Metadata> {
  const client = await redisClient(address);
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    const { host, port } = client.options;
    const message = `The Redis server at ${host}:${port} cannot be used: ${String((error as Error).message)} Start the server, or correct the address.`;
    throw new SkillError("BACKEND_FAILED", message, { cause: error });
  }
  const { redisIndex, redisRecords } = await importPeer(
    REDIS_PACKAGES,
    "Metadata on Redis",
    () => import("@skillwright/metadata-redis"),
  );
  const place = { client, onDiagnostic };
  const records = redisRecords(place);
  const indexes = new Map<string, MetadataIndex>();

  async function close(): Promise<void> {
    for (const index of indexes.values()) await index.close();
    await records.close();
    client.disconnect();
  }

  return {
    ...keptIn(records),
    index(source) {
      const name = indexName(source);
      const index = indexes.get(name) ?? redisIndex({ ...place, name });
      indexes.set(name, index);
      return index;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
