import { type RecordStore, SkillError } from "@skillwright/core";
import { recordValues } from "@skillwright/records";
import type { TellWork } from "../log/server-log.js";
import type { Retention } from "../server-options.js";

/** A time as `Retention` has it; `false` for no limit. */
type Limit = number | false;

export type RetentionLimits = Required<{ readonly [Part in keyof Retention]: Limit }>;

/** When the processes with the same limits remove what is too old, in milliseconds by the clock of the store. */
interface LastRemoval {
  /** The time before which no process looks for old conversations again. */
  readonly nextMs: number;
  /** Everything that was too old at this time has been removed. */
  readonly doneMs: number;
}

/** A conversation as `everyConversation` lists it. */
export interface AgingConversation {
  readonly user: string;
  readonly id: string;
  /** ISO 8601 time of the last change. */
  readonly updatedAt: string;
  readonly isBeingDeleted?: boolean | undefined;
}

/** What `retention` works with. */
export interface RetentionParts {
  readonly records: RecordStore;
  readonly app: string;
  everyConversation(options: { readonly signal: AbortSignal }): AsyncIterable<AgingConversation>;
  /**
   * The functions that remove the parts of a conversation. A function removes nothing if the conversation was changed after it was listed.
   * It returns `false` if the conversation has an active turn, and has to be called again later.
   */
  readonly remove: Readonly<
    Record<keyof RetentionLimits, (conversation: AgingConversation) => Promise<boolean>>
  >;
  readonly failed: TellWork;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEFAULTS: RetentionLimits = { eventsMs: 30 * DAY_MS, outputsMs: false, conversationsMs: false };
const PARTS = ["conversationsMs", "outputsMs", "eventsMs"] as const;

/**
 * Removes what was not changed for longer than the limits, in one of the processes that share the records. Returns a function that
 * stops this.
 */
export function retention(
  limits: RetentionLimits,
  { records, app, everyConversation, remove, failed }: RetentionParts,
): () => Promise<void> {
  const everyMs = Math.min(DAY_MS, ...Object.values(limits).map((limit) => (limit || DAY_MS * 10) / 10));
  const last = recordValues<LastRemoval>(records, "last removal of old conversations");
  // Processes with other limits have a record of their own, so that neither makes the other one begin anew.
  const key = ["retention", app, PARTS.map((part) => limits[part]).join(" ")];
  const stopping = new AbortController();
  const { signal } = stopping;
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= removeOld()
      .catch((error: unknown) => {
        if (!signal.aborted) failed("Removing what is kept no longer", error);
      })
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, MINUTE_MS).unref();

  async function removeOld(): Promise<void> {
    let due: { readonly nowMs: number; readonly doneMs: number } | undefined;
    const claim = (held: LastRemoval | undefined, nowMs: number): LastRemoval | undefined => {
      const { nextMs = 0, doneMs = 0 } = held ?? {};
      due = nextMs > nowMs ? undefined : { nowMs, doneMs };
      return due && { nextMs: nowMs + everyMs, doneMs };
    };
    await last.change(key, claim, { signal });
    if (!due) return;
    const { nowMs, doneMs } = due;
    let isComplete = true;
    for await (const conversation of everyConversation({ signal })) {
      for (const part of tooOld(conversation, limits, nowMs, doneMs)) {
        const isDone = await remove[part](conversation).catch((error: unknown) => {
          failed("Removing what is kept no longer", error);
          return false;
        });
        isComplete &&= isDone;
      }
      signal.throwIfAborted();
    }
    if (isComplete) await last.change(key, (held) => held && { ...held, doneMs: nowMs }, { signal });
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await looking;
  };
}

/** The parts whose time ended after `doneMs`. Where the whole conversation goes, no other part is named. */
function tooOld(
  { updatedAt, isBeingDeleted }: AgingConversation,
  limits: RetentionLimits,
  nowMs: number,
  doneMs: number,
): readonly (keyof RetentionLimits)[] {
  // The process that was deleting it has died.
  if (isBeingDeleted) return ["conversationsMs"];
  const ended = PARTS.filter((part) => {
    const limit = limits[part];
    const endMs = limit === false ? Number.POSITIVE_INFINITY : Date.parse(updatedAt) + limit;
    return endMs <= nowMs && endMs > doneMs;
  });
  return ended.includes("conversationsMs") ? ["conversationsMs"] : ended;
}

/** @throws SkillError `CONFIG_INVALID` for a time that is not at least a minute. */
export function retentionLimits(given: Retention = {}): RetentionLimits {
  const limits = { ...DEFAULTS };
  for (const [part, limit] of Object.entries(given)) {
    if (limit === undefined) continue;
    if (limit !== false && !(limit >= MINUTE_MS)) throw invalid(part, limit);
    limits[part as keyof RetentionLimits] = limit;
  }
  return limits;
}

function invalid(part: string, limit: unknown): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `keep.${part}: given ${String(limit)}; expected a time of at least ${MINUTE_MS} ms, or false to keep it until somebody deletes it.`,
    { details: { fields: [{ path: `keep.${part}` }] } },
  );
}
