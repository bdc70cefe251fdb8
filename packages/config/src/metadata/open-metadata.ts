import {
  type Closable,
  type Diagnostic,
  type MetadataIndex,
  type SessionStore,
  SkillError,
  type TurnStore,
  type WorkspaceRegistry,
} from "@skillwright/core";
import { indexName } from "@skillwright/core/adapter";
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

async function databaseMetadata(
  address: string,
  { cwd = process.cwd() }: MetadataOptions,
): Promise<Metadata> {
  const source = skillSource(address);
  if (!isDatabase(source)) throw new SkillError("CONFIG_INVALID", "The metadata address is not a database.");
  const database = await openDatabase(source, { cwd, clients: { sql: sqlDatabase } }, true);
  const { sqlRegistry, sqlSessions, sqlTurns } = await databasePackage();
  const close = () => database.close();
  return {
    sessions: sqlSessions({ database }),
    turns: sqlTurns({ database }),
    registry: sqlRegistry({ database }),
    close,
    [Symbol.asyncDispose]: close,
  };
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
  const { redisIndex, redisRegistry, redisSessions, redisTurns } = await importPeer(
    REDIS_PACKAGES,
    "Metadata on Redis",
    () => import("@skillwright/metadata-redis"),
  );
  const place = { client, onDiagnostic };
  const sessions = redisSessions(place);
  const turns = redisTurns(place);
  const registry = redisRegistry(place);
  const indexes = new Map<string, MetadataIndex>();

  async function close(): Promise<void> {
    for (const index of indexes.values()) await index.close();
    await sessions.close();
    await turns.close();
    await registry.close();
    client.disconnect();
  }

  return {
    sessions,
    turns,
    registry,
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
