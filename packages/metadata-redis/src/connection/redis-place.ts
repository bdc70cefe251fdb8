import { type Diagnostic, SkillError } from "@skillwright/core";
import type { Cluster, Redis } from "ioredis";

/** An `ioredis` client, connected to one server, through Sentinel, or to a Cluster. */
export type RedisClient = Redis | Cluster;

export interface RedisPlaceOptions {
  /** Belongs to the caller: its settings are not changed, and it is never closed here. */
  readonly client: RedisClient;
  /**
   * Prefix of every key and channel. Defaults to `skillwright:`. It must not contain braces, which would determine the
   * slot in a Cluster. A `keyPrefix` of the client precedes it.
   */
  readonly prefix?: string | undefined;
  /**
   * Receives diagnostics about values that cannot be read and count as absent: damaged ones, and those of other
   * programs or releases.
   */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Names of keys and channels in Redis. */
export interface RedisPlace {
  readonly client: RedisClient;
  /** A key without the client's own `keyPrefix`, which the client adds. */
  key(name: string): string;
  /** A channel, including the client's `keyPrefix`, which the client does not add to channels. */
  channel(name: string): string;
  /** Reports a value that cannot be read and counts as absent. */
  damaged(what: string, key: string): void;
}

/** @throws SkillError `CONFIG_INVALID` for a prefix with a brace. */
export function redisPlace({ client, prefix = "skillwright:", onDiagnostic }: RedisPlaceOptions): RedisPlace {
  if (/[{}]/.test(prefix))
    throw new SkillError(
      "CONFIG_INVALID",
      `The prefix ${JSON.stringify(prefix)} contains a brace, which would determine the slot in a Cluster. Leave it out.`,
      { details: { field: "prefix" } },
    );
  const key = (name: string): string => prefix + name;
  return {
    client,
    key,
    channel: (name) => (client.options.keyPrefix ?? "") + key(name),
    damaged: (what, at) => tell(onDiagnostic, what, at),
  };
}

/** Encodes text as a part of a key: without braces, colons, slashes and spaces, and unique for each text. */
export function keyPart(text: string): string {
  // JSON first: it preserves lone surrogates, for which encodeURIComponent would throw.
  return encodeURIComponent(JSON.stringify(text).slice(1, -1));
}

function tell(listener: RedisPlaceOptions["onDiagnostic"], what: string, key: string): void {
  try {
    listener?.({
      code: "redis.value-damaged",
      severity: "warning",
      message: `${what} in Redis (key ${key}) cannot be read and is treated as absent.`,
      hint: "Check whether another program or another release writes below this prefix; give each its own prefix.",
    });
  } catch (error) {
    process.emitWarning(`The onDiagnostic listener failed at redis.value-damaged: ${String(error)}`);
  }
}
