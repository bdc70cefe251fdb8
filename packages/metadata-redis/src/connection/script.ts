import { createHash } from "node:crypto";
import type { RedisClient } from "./redis-place.js";

/** A Lua script that the server caches; all of its keys must be in one slot. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

export function script(source: string): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

/** Runs it in one round trip, or in two where the server does not know it yet, as after a restart. */
export async function runScript(
  client: RedisClient,
  { source, sha1 }: Script,
  keys: readonly string[],
  given: readonly (string | number)[],
): Promise<unknown> {
  // Passed as one array: a call with 100,000 arguments would overflow the stack.
  const rest = [keys.length, ...keys, ...given];
  try {
    return await client.call("evalsha", [sha1, ...rest]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return await client.call("eval", [source, ...rest]);
  }
}
