import { SkillError } from "@skillwright/core";
import type { Redis } from "ioredis";
import { withoutCredentials } from "../sources/skill-source.js";
import { importPeer, REDIS_PACKAGES } from "./import-peer.js";

const TIMEOUT_MS = 5000;

/**
 * Creates a client for the server at `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS.
 * Connecting and each command fail after 5,000 ms without an answer.
 * @throws SkillError `CONFIG_INVALID` for another URL, `UNSUPPORTED` where `ioredis` is not installed.
 */
export async function redisClient(address: string, timeoutMs = TIMEOUT_MS): Promise<Redis> {
  // The client's own error for an invalid URL contains the password.
  if (!/^rediss?:\/\/[^/\s]/.test(address) || !URL.canParse(address))
    throw new SkillError(
      "CONFIG_INVALID",
      `The address ${JSON.stringify(withoutCredentials(address).slice(0, 120))} is not one of Redis. Give one such as redis://host:6379.`,
    );
  const { Redis } = await importPeer(REDIS_PACKAGES, "Records in Redis", () => import("ioredis"));
  // A call fails after about two seconds of attempts; everything that needs no record then continues.
  const waiting = { connectTimeout: timeoutMs, commandTimeout: timeoutMs, maxRetriesPerRequest: 3 };
  const client = new Redis(address, { ...waiting, lazyConnect: true });
  // The calls report failures; without a listener, failures would be printed too.
  client.on("error", () => undefined);
  return client;
}
