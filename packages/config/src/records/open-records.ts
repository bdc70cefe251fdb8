import { resolve } from "node:path";
import {
  type Closable,
  type Diagnostic,
  type MetadataIndex,
  type RecordStore,
  SkillError,
} from "@skillwright/core";
import { indexName } from "@skillwright/core/adapter";
import { fsRecords } from "@skillwright/repository-fs";
import { importPeer, REDIS_PACKAGES } from "../clients/import-peer.js";
import { redisClient } from "../clients/redis-client.js";
import { databasePackage, sqlDatabase } from "../clients/sql-database.js";
import { isDatabase, openDatabase } from "../sources/open-database.js";
import { noStore, storePlace } from "../sources/skill-source.js";

export interface OpenRecordsOptions {
  /** Absolute base of a relative folder or SQLite file. Defaults to the working directory of the process. */
  readonly cwd?: string | undefined;
  /** Receives diagnostics about values in Redis that cannot be read, with their keys. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** A record store with what was opened for it. `close` closes both. */
export interface OpenedRecords extends Closable {
  readonly records: RecordStore;
  /** The folder that contains the records. Missing for a store that several machines may share. */
  readonly folder?: string | undefined;
  /** Returns the index of a source's skills that processes share. The same source always has the same index. Only Redis has one. */
  index?(source: string): MetadataIndex;
}

/**
 * Opens a record store: `redis://[user:password@]host[:port][/db]`, `sqlite:path`, `postgres://host/database`, or a folder. A folder
 * and a SQLite file are created where they do not exist. It connects to a server at once, so that an unreachable one is reported here.
 * @throws SkillError `CONFIG_INVALID` for another address, `UNSUPPORTED` where its packages are not installed,
 * `BACKEND_FAILED` where the server does not answer.
 */
export async function openRecords(address: string, options: OpenRecordsOptions = {}): Promise<OpenedRecords> {
  const { cwd = process.cwd() } = options;
  if (/^rediss?:/i.test(address)) return await inRedis(address, options);
  const source = storePlace(address, ...RECORDS);
  // `host:6379` is a server whose scheme was left out, and not the name of a folder.
  if (source.kind === "folder" && !/^[^/\\]+:\d+$/.test(source.path)) {
    const folder = resolve(cwd, source.path);
    const records = fsRecords({ root: folder });
    return opened({ records, folder }, async () => undefined);
  }
  if (!isDatabase(source)) throw noStore(address, ...RECORDS);
  const database = await openDatabase(source, { cwd, clients: { sql: sqlDatabase } }, true);
  const { sqlRecords } = await databasePackage();
  return opened({ records: sqlRecords({ database }) }, () => database.close());
}

async function inRedis(address: string, { onDiagnostic }: OpenRecordsOptions): Promise<OpenedRecords> {
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
    "Records in Redis",
    () => import("@skillwright/metadata-redis"),
  );
  const place = { client, onDiagnostic };
  const indexes = new Map<string, MetadataIndex>();
  const index = (source: string): MetadataIndex => {
    const name = indexName(source);
    const one = indexes.get(name) ?? redisIndex({ ...place, name });
    indexes.set(name, one);
    return one;
  };
  return opened({ records: redisRecords(place), index }, async () => {
    for (const one of indexes.values()) await one.close();
    client.disconnect();
  });
}

function opened(place: Omit<OpenedRecords, keyof Closable>, closePlace: () => Promise<void>): OpenedRecords {
  const close = async (): Promise<void> => {
    await place.records.close();
    await closePlace();
  };
  return { ...place, close, [Symbol.asyncDispose]: close };
}

const RECORDS = [
  "Records",
  "Give a folder, sqlite:path, redis://host:6379 or postgres://host/database.",
] as const;
