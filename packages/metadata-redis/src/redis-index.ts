import { randomUUID } from "node:crypto";
import { type Closable, type MetadataIndex, SkillError } from "@skillwright/core";
import { type IndexChange, indexName, spanned } from "@skillwright/core/adapter";
import { attempt } from "./connection/attempt.js";
import { keyPart, type RedisPlaceOptions, redisPlace } from "./connection/redis-place.js";
import { runScript } from "./connection/script.js";
import { changedFields, type ReadIndex } from "./entries/index-fields.js";
import { indexNotices } from "./entries/index-notices.js";
import { indexReader } from "./entries/index-reader.js";
import { writeIndex } from "./entries/index-scripts.js";

export interface RedisIndexOptions extends RedisPlaceOptions {
  /**
   * The indexed source, as named on a command line: `s3://bucket/prefix`, `git+https://…`. Every spelling of one
   * location selects the same index (`indexName` of core). Each repository needs its own name.
   */
  readonly name: string;
}

/**
 * Stores the summaries of a repository in one hash, read in one round trip however many there are: skills sorted by
 * name, then path, broken ones by path. Results are cached and frozen: the next read transfers only what changed since,
 * if the last 128 changes cover it, otherwise everything. Revisions increase even when Redis lost the index. An index
 * with a damaged part counts as absent, and the next write from `undefined` replaces it. Damage by other programs is
 * noticed by a process that reads everything, at the latest by the next one started.
 *
 * `subscribe` opens a separate connection and keeps it until it or the index is closed. The listener is called with the
 * current revision, 0 for none, each time that connection was restored.
 * @throws SkillError `CONFIG_INVALID` for a missing name and a prefix with a brace; `BACKEND_FAILED` for every failure
 * of Redis, `LIMIT_EXCEEDED` for reading a value of more than 128 MiB.
 */
export function redisIndex({ name, ...options }: RedisIndexOptions): MetadataIndex {
  const place = redisPlace(options);
  const own = keyPart(checkedName(name));
  const { client } = place;
  const key = place.key(`index:{${own}}`);
  const channel = place.channel(`index:{${own}}:revisions`);
  const subscriptions = new Set<Closable>();
  const reader = indexReader(client, key);

  const read: MetadataIndex["read"] = ({ signal } = {}) =>
    attempt("Reading the index", signal, async () => told(await reader.read())?.summaries);

  const write: MetadataIndex["write"] = (change, { signal } = {}) =>
    attempt("Writing the index", signal, async () => {
      const send = sender(change);
      const first = await send(String(change.from ?? ""), "0");
      if (first.isWritten) return Number(first.revision);
      const found = change.from === undefined ? told(await reader.readAll()) : undefined;
      if (!found || found.summaries) throw conflict(change.from, first.revision);
      const second = await send(found.revision, "1");
      if (second.isWritten) return Number(second.revision);
      throw conflict(change.from, second.revision);
    });

  const subscribe: MetadataIndex["subscribe"] = (listener) =>
    attempt("Subscribing to the index", undefined, async () => {
      const stop = await indexNotices({ client, key, channel, listener });
      const close = async (): Promise<void> => {
        subscriptions.delete(subscription);
        stop();
      };
      const subscription: Closable = { close, [Symbol.asyncDispose]: close };
      subscriptions.add(subscription);
      return subscription;
    });

  async function close(): Promise<void> {
    reader.forget();
    for (const subscription of [...subscriptions]) await subscription.close();
  }

  return spanned(
    "index",
    { read, write, subscribe, close, [Symbol.asyncDispose]: close },
    { store: "redis" },
  );

  function told(found: ReadIndex | undefined): ReadIndex | undefined {
    if (found && !found.summaries) place.damaged("The index", key);
    else if (found && found.foreign > 0)
      place.damaged(`What ${found.foreign} foreign fields of the index say`, key);
    return found;
  }

  /** Serializes the change before the first await, because it belongs to the caller. */
  function sender(change: IndexChange) {
    const { gone, set } = changedFields(change);
    const changeId = randomUUID();
    return async (from: string, anew: "0" | "1"): Promise<{ isWritten: boolean; revision: string }> => {
      const given = [from, changeId, anew, channel, gone.length, ...gone, ...set];
      const [verdict, revision] = (await runScript(client, writeIndex, [key], given)) as [string, string];
      return { isWritten: verdict === "written", revision: String(revision) };
    };
  }
}

function checkedName(name: unknown): string {
  const canonical = typeof name === "string" ? indexName(name) : "";
  if (canonical !== "") return canonical;
  throw new SkillError(
    "CONFIG_INVALID",
    `The index has no name. Give redisIndex the address of the indexed source, such as { client, name: "s3://bucket/prefix" }.`,
  );
}

function conflict(from: number | undefined, at: string): SkillError {
  const revision = Number(at);
  const exists = at !== "" && Number.isSafeInteger(revision);
  const where = exists ? `at revision ${at}` : "not there";
  return new SkillError(
    "CONFLICT",
    `The index is ${where}, and the change was made from ${from ?? "no index"}. Read it again and repeat the change.`,
    { details: exists ? { revision } : {} },
  );
}
