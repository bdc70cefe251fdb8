import { isDeepStrictEqual } from "node:util";
import { type SessionRecord, type SessionStore, SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { patiently } from "./patiently.js";

const failures = new WeakSet<object>();

/** Repeats failed reads and changes of the store for up to `forMs`, so that a turn survives a short outage. */
export function patientSessions(sessions: SessionStore, forMs: number): SessionStore {
  const get: SessionStore["get"] = (scope, options) =>
    patiently(() => sessions.get(scope, options), { forMs, signal: options?.signal }).catch(marked);
  const update: SessionStore["update"] = (scope, change, options) =>
    patiently(
      async (isRepeated) => {
        try {
          return await sessions.update(scope, change, options);
        } catch (error) {
          const there =
            isRepeated && SkillError.is(error, "CONFLICT") ? await sessions.get(scope) : undefined;
          if (there && isMadeBy(there, change)) return there;
          throw error;
        }
      },
      { forMs, signal: options?.signal },
    ).catch(marked);
  return delegate(sessions, { get, update });
}

/** True for an error that such sessions threw because their store failed for longer than that. */
export function isStoreFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && failures.has(error);
}

function marked(error: unknown): never {
  if (SkillError.is(error, "BACKEND_FAILED")) failures.add(error);
  throw error;
}

type Change = Parameters<SessionStore["update"]>[1];

/** True if the record is the result of this change. An earlier attempt has then made the change, and its answer was lost. */
function isMadeBy(record: SessionRecord, { from, history, append = [], stateDelta = {} }: Change): boolean {
  const expected = [...(history ?? []), ...append];
  const end = history ? record.history : record.history.slice(record.history.length - expected.length);
  const state = Object.entries(stateDelta).map(([key, value]) => [record.state[key] ?? null, value]);
  return (
    record.revision === from + 1 && isSame(end, expected) && state.every(([now, then]) => isSame(now, then))
  );
}

/** Compares two values as JSON. The order of fields does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}
