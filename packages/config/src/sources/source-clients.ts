import type { S3Client } from "@aws-sdk/client-s3";
import { type Environment, type S3Server, s3Client } from "../clients/s3-client.js";

/** Clients that several sources share; each is made when it is first asked for. */
export interface SourceClients {
  s3(server?: S3Server): Promise<S3Client>;
  /** Ends what was made here, not what was handed in. */
  close(): Promise<void>;
}

/** @param handedIn A client of the caller's for every bucket; whoever made it closes it. */
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
    async close() {
      for (const client of made.values()) (await client.catch(() => undefined))?.destroy();
    },
  };
}
