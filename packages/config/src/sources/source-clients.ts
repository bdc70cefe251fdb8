import type { S3Client } from "@aws-sdk/client-s3";
import type { DatabasePlace, OpenedDatabase } from "../clients/database-place.js";
import { type HttpAccess, httpAccess } from "../clients/http-access.js";
import { type Environment, type S3Server, s3Client } from "../clients/s3-client.js";
import { sqlDatabase } from "../clients/sql-database.js";

/** Clients shared by several sources, each created on first use, and what the environment permits for an address. */
export interface SourceClients {
  s3(server?: S3Server): Promise<S3Client>;
  /** @throws SkillError as `openSkillSource`. */
  sql(place: DatabasePlace): Promise<OpenedDatabase>;
  /** @throws SkillError `CONFIG_INVALID` for invalid variables. */
  http(url: string): HttpAccess;
  /** Closes what was created here, not what was passed in. */
  close(): Promise<void>;
}

/** @param handedIn The caller's client for every bucket; the caller closes it. */
export function sourceClients(env: Environment, handedIn?: S3Client): SourceClients {
  const buckets = onFirstUse<S3Server, S3Client>((server) => s3Client(env, server));
  const databases = onFirstUse(sqlDatabase);
  return {
    s3: async (server = {}) => handedIn ?? (await buckets.get(server)),
    sql: databases.get,
    http: (url) => httpAccess(env, url),
    async close() {
      for (const client of await buckets.made()) client.destroy();
      for (const database of await databases.made()) await database.close();
    },
  };
}

/** What was made stays for the next caller; a failure does not. */
function onFirstUse<Key extends object, Made>(make: (key: Key) => Promise<Made>) {
  const made = new Map<string, Promise<Made>>();
  return {
    get(key: Key): Promise<Made> {
      const name = JSON.stringify(Object.entries(key).sort());
      const existing = made.get(name) ?? make(key);
      made.set(name, existing);
      existing.catch(() => made.delete(name));
      return existing;
    },
    async made(): Promise<readonly Made[]> {
      const settled = await Promise.allSettled(made.values());
      return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    },
  };
}
