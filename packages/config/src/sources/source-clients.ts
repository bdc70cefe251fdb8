import type { S3Client } from "@aws-sdk/client-s3";
import { type HttpAccess, httpAccess } from "../clients/http-access.js";
import { type Environment, type S3Server, s3Client } from "../clients/s3-client.js";

/** Clients shared by several sources, each created on first use, and what the environment permits for an address. */
export interface SourceClients {
  s3(server?: S3Server): Promise<S3Client>;
  /** @throws SkillError `CONFIG_INVALID` for invalid variables. */
  http(url: string): HttpAccess;
  /** Closes what was created here, not what was passed in. */
  close(): Promise<void>;
}

/** @param handedIn The caller's client for every bucket; the caller closes it. */
export function sourceClients(env: Environment, handedIn?: S3Client): SourceClients {
  const made = new Map<string, Promise<S3Client>>();
  return {
    async s3(server = {}) {
      if (handedIn) return handedIn;
      const key = JSON.stringify([server.endpoint, server.isVirtualHosted]);
      const client = made.get(key) ?? s3Client(env, server);
      made.set(key, client);
      return await client;
    },
    http: (url) => httpAccess(env, url),
    async close() {
      for (const client of made.values()) (await client.catch(() => undefined))?.destroy();
    },
  };
}
