import { SkillError } from "@skillwright/core";
import type { Redis } from "ioredis";
import { withoutCredentials } from "../sources/skill-source.js";
import { importPeer, REDIS_PACKAGES } from "./import-peer.js";

/**
 * A client of the server at `redis://[user:password@]host[:port][/db]`, or `rediss://` over TLS.
 * @throws SkillError `CONFIG_INVALID` for another address, `UNSUPPORTED` where `ioredis` is not installed.
 */
export async function redisClient(address: string): Promise<Redis> {
  if (!/^rediss?:\/\/[^/\s]/.test(address))
    throw new SkillError(
      "CONFIG_INVALID",
      `The metadata address ${JSON.stringify(withoutCredentials(address).slice(0, 120))} is none of Redis. Give redis://host:6379.`,
    );
  const { Redis } = await importPeer(REDIS_PACKAGES, "Metadata on Redis", () => import("ioredis"));
  // A call fails after some two seconds of attempts; what needs no metadata goes on then.
  const client = new Redis(address, { maxRetriesPerRequest: 3, lazyConnect: true });
  // Failures are told by the calls; unheard, they are printed too.
  client.on("error", () => undefined);
  return client;
}
