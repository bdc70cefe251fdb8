import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  type JsonValue,
  type RecordStore,
  SkillError,
  type WorkspaceRegistry,
} from "@skillwright/core";
import { checkAborted, hasProcessEnded, processMark, type WorkspaceLease } from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { recordChanges } from "./record-changes.js";

interface Held {
  readonly formatVersion: 1;
  readonly holder: string;
  readonly token: number;
  /** By the clock of the store; 0 when it was released. */
  readonly untilMs: number;
  /** By the clock of the holder's machine that counts from its start and cannot be set. */
  readonly untilUptimeMs: number;
  /** Mark of the holder's process. */
  readonly process: string;
  readonly note?: string | undefined;
}

interface Own extends Pick<Held, "holder" | "token"> {
  readonly workspaceId: string;
  readonly forMs: number;
}

/** The end of a holder's process is no change of the record: a waiting caller looks again after this time. */
const LOOK_MS = 250;
/** The shortest wait. If the clock of the store was set forward, the lease of a live process looks expired. */
const LEAST_MS = 10;
const LONGEST_MS = 2 ** 51;
/** A lease that expired so long ago, and whose workspace does not exist, is forgotten. */
const FORGOTTEN_MS = 60 * 60 * 1000;

/** The last token of this process. Two leases of one millisecond would get the same token if the record between them is removed. */
let lastToken = 0;

/** Leases on workspaces, timed by the clock of the store. */
export function recordLeases(
  records: RecordStore,
  keyOf: (workspaceId: string) => readonly string[],
  isGone: (workspaceId: string) => Promise<boolean>,
): WorkspaceRegistry["lease"] {
  return async (workspaceId, { forMs: given, waitMs = 0, note, finish, signal }) => {
    const key = keyOf(workspaceId);
    const forMs = milliseconds(given);
    const patientUntil = performance.now() + waitMs;
    const holder = randomUUID();
    const changes = waitMs > 0 ? recordChanges(records, key, "value") : undefined;
    try {
      for (;;) {
        changes?.look();
        const { held, revision, nowMs } = await read(key, signal);
        if (!held || (await isOver(held, nowMs))) {
          if (held?.note !== undefined && held.untilMs !== 0) await finish?.(held.note);
          // The time makes it greater than the token of an earlier lease whose record was removed.
          const token = Math.max((held?.token ?? 0) + 1, Math.floor(nowMs * 1000), lastToken + 1);
          lastToken = token;
          const value: Held = {
            formatVersion: 1,
            holder,
            token,
            ...untilAfter(forMs, nowMs),
            process: await processMark(),
            ...(note !== undefined && { note }),
          };
          const isMine = await records.write(key, { from: revision, value: value as unknown as JsonValue });
          if (isMine !== undefined) return await granted(key, { workspaceId, holder, token, forMs }, signal);
          continue;
        }
        const patienceMs = patientUntil - performance.now();
        if (!(patienceMs > 0)) throw heldByAnother(workspaceId);
        const leftMs = Math.max(held.untilMs - nowMs, LEAST_MS);
        await changes?.wait(Math.min(leftMs, patienceMs, LOOK_MS), signal);
      }
    } finally {
      changes?.done();
    }
  };

  async function read(key: readonly string[], signal?: AbortSignal) {
    const { value, revision, nowMs } = await records.get(key, { signal });
    return { held: value as Held | undefined, revision: revision ?? null, nowMs };
  }

  /** The answer may arrive after the caller has given up. */
  async function granted(
    key: readonly string[],
    of: Own,
    signal: AbortSignal | undefined,
  ): Promise<WorkspaceLease> {
    const lease = leaseOf(key, of);
    if (!signal?.aborted) return lease;
    await lease.release();
    checkAborted(signal);
    return lease;
  }

  function leaseOf(key: readonly string[], { workspaceId, holder, token, forMs }: Own): WorkspaceLease {
    /** Returns `undefined` where another holder has or had the lease since. */
    async function change(
      until: (nowMs: number) => Pick<Held, "untilMs" | "untilUptimeMs">,
    ): Promise<string | undefined> {
      for (;;) {
        const { held, revision, nowMs } = await read(key);
        if (held?.holder !== holder || held.untilMs === 0) return undefined;
        const value = { ...held, ...until(nowMs) } as unknown as JsonValue;
        const written = await records.write(key, { from: revision, value });
        if (written !== undefined) return written;
      }
    }

    return {
      workspaceId,
      token,
      renew: async () => (await change((nowMs) => untilAfter(forMs, nowMs))) !== undefined,
      release: async () => {
        const from = await change(() => ({ untilMs: 0, untilUptimeMs: 0 }));
        // While the workspace exists, the record stays: the next lease needs its token.
        if (from !== undefined && (await isGone(workspaceId))) await records.delete(key, { from });
      },
    };
  }
}

function untilAfter(forMs: number, nowMs: number): Pick<Held, "untilMs" | "untilUptimeMs"> {
  return { untilMs: nowMs + forMs, untilUptimeMs: uptimeMs() + forMs };
}

/** On the holder's machine, an ended process holds nothing, and the clock of the store may have been set meanwhile. */
async function isOver({ untilMs, untilUptimeMs, process }: Held, nowMs: number): Promise<boolean> {
  if (untilMs === 0) return true;
  const hasEnded = await hasProcessEnded(process);
  return hasEnded === undefined ? untilMs <= nowMs : hasEnded || untilUptimeMs <= uptimeMs();
}

function uptimeMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Removes the record of a lease that nobody holds. */
export async function forgetReleased(
  records: RecordStore,
  key: readonly string[],
  options: CallOptions = {},
): Promise<void> {
  const { value, revision } = await records.get(key, options);
  if (revision !== undefined && (value as unknown as Held).untilMs === 0)
    await records.delete(key, { ...options, from: revision });
}

/** Removes the leases of workspaces that do not exist whose holders' processes have ended, or that expired long ago. */
export async function forgetLeases(
  records: RecordStore,
  collection: readonly string[],
  exists: (workspaceId: string) => boolean,
  options: CallOptions = {},
): Promise<void> {
  for await (const { name, value, revision } of everyRecord(records, collection, options)) {
    if (exists(name)) continue;
    const { process, untilMs } = value as unknown as Held;
    const key = [...collection, name];
    if (!(await hasProcessEnded(process))) {
      const { nowMs } = await records.get(key, options);
      if (untilMs > nowMs - FORGOTTEN_MS) continue;
    }
    await records.delete(key, { ...options, from: revision });
  }
}

/** A duration that any store can hold: whole, and at least 1. */
function milliseconds(forMs: number): number {
  if (Number.isNaN(forMs)) throw new SkillError("INPUT_INVALID", "forMs must be a number of milliseconds.");
  return Math.min(Math.max(Math.ceil(forMs), 1), LONGEST_MS);
}

function heldByAnother(workspaceId: string): SkillError {
  return new SkillError(
    "CONFLICT",
    `Another caller holds the lease of the workspace ${workspaceId}. Wait longer with waitMs, or try again later.`,
    { details: { workspaceId } },
  );
}
