import {
  type Closable,
  type Diagnostic,
  type MetadataIndex,
  type SessionStore,
  SkillError,
  type WorkspaceRegistry,
} from "@skillwright/core";
import { indexName } from "@skillwright/core/adapter";
import { importPeer, REDIS_PACKAGES } from "../clients/import-peer.js";
import { redisClient } from "../clients/redis-client.js";

export interface MetadataOptions {
  /** Receives diagnostics about values that cannot be read, with their keys. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Data that several hosts share besides skills and artifacts, on one server. `close` ends the connection. */
export interface Metadata extends Closable {
  readonly sessions: SessionStore;
  readonly registry: WorkspaceRegistry;
  /** The index of the skills of one source: the same source always has the same index. */
  index(source: string): MetadataIndex;
}

/**
 * Opens shared metadata at `redis://[user:password@]host[:port][/db]`. Connects at once, so that an unreachable server
 * is reported here.
 * @throws SkillError `CONFIG_INVALID` for another URL, `UNSUPPORTED` where `ioredis` is not installed, `BACKEND_FAILED`
 * where the server does not answer.
 */
export async function openMetadata(
  address: string,
  { onDiagnostic }: MetadataOptions = {},
): Promise<Metadata> {
  const client = await redisClient(address);
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    const { host, port } = client.options;
    const message = `The Redis server at ${host}:${port} cannot be used: ${String((error as Error).message)} Start the server, or correct the address.`;
    throw new SkillError("BACKEND_FAILED", message, { cause: error });
  }
  const { redisIndex, redisRegistry, redisSessions } = await importPeer(
    REDIS_PACKAGES,
    "Metadata on Redis",
    () => import("@skillwright/metadata-redis"),
  );
  const place = { client, onDiagnostic };
  const sessions = redisSessions(place);
  const registry = redisRegistry(place);
  const indexes = new Map<string, MetadataIndex>();

  async function close(): Promise<void> {
    for (const index of indexes.values()) await index.close();
    await sessions.close();
    await registry.close();
    client.disconnect();
  }

  return {
    sessions,
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
