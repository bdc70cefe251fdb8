import type { IndexedSummaries } from "@skillwright/core/adapter";
import type { RedisClient } from "../connection/redis-place.js";
import { runScript } from "../connection/script.js";
import { changedSummaries } from "./changed-summaries.js";
import { type ReadIndex, readFields } from "./index-fields.js";
import { readSince } from "./index-scripts.js";

/** Reads the hash of an index and caches the last result. */
export interface IndexReader {
  /**
   * Returns the whole index, transferring only what changed since the last read; `undefined` where there is no index.
   */
  read(): Promise<ReadIndex | undefined>;
  /** Reads and returns the whole index. */
  readAll(): Promise<ReadIndex | undefined>;
  forget(): void;
}

/** The cached state of the index. */
interface Known {
  readonly epoch: string;
  readonly change: string;
  readonly revision: string;
  readonly summaries: IndexedSummaries;
}

export function indexReader(client: RedisClient, key: string): IndexReader {
  let known: Known | undefined;

  const ask = async (given: readonly string[]) =>
    (await runScript(client, readSince, [key], given)) as [string, ...string[]];

  const readAll: IndexReader["readAll"] = async () => {
    const [verdict, ...fields] = await ask([]);
    if (verdict === "none") return undefined;
    return verdict === "foreign" ? FOREIGN : take(fieldsOf(fields));
  };

  const read: IndexReader["read"] = async () => {
    const before = known;
    if (!before) return await readAll();
    const { epoch, change, revision } = before;
    const [verdict, ...rest] = await ask([epoch, change, revision]);
    if (verdict === "none") return undefined;
    if (verdict === "foreign") return FOREIGN;
    if (verdict === "same") return { summaries: before.summaries, revision, foreign: 0 };
    if (verdict === "all") return take(fieldsOf(rest));
    const [nextChange = "", next = "", ...changed] = rest;
    const summaries = changedSummaries(before.summaries, next, changed);
    if (!summaries) return await readAll();
    known = { epoch, change: nextChange, revision: next, summaries };
    return { summaries, revision: next, foreign: 0 };
  };

  return {
    read,
    readAll,
    forget: () => {
      known = undefined;
    },
  };

  function take(fields: Readonly<Record<string, string>>): ReadIndex {
    const found = readFields(fields);
    const { epoch, change } = fields;
    const { summaries, revision } = found;
    // Foreign fields are reported each time they are found.
    const isWhole = summaries && epoch !== undefined && change !== undefined && found.foreign === 0;
    known = isWhole ? { epoch, change, revision, summaries } : undefined;
    return found;
  }
}

const FOREIGN: ReadIndex = { revision: "?", foreign: 0 };

function fieldsOf(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (let at = 0; at < pairs.length; at += 2) fields[pairs[at] ?? ""] = pairs[at + 1] ?? "";
  return fields;
}
