import { SkillError } from "../skill-error.js";
import type { SessionChange, SessionRecord, SessionScope } from "./session-store.js";
import { applyStateDeltas } from "./state-delta.js";

/**
 * Returns the record of a session after a change, with the next revision. For stores that hold whole records.
 * @param before The current record; `undefined` for a session that does not exist yet.
 * @throws SkillError `CONFLICT` when the change is based on another revision.
 */
export function changedSession(
  { app, user, session }: SessionScope,
  before: SessionRecord | undefined,
  change: SessionChange,
): SessionRecord {
  const revision = before?.revision ?? 0;
  if (revision !== change.from) throw conflict(session, change.from, revision);
  const snapshot = change.snapshot ?? before?.snapshot;
  return {
    formatVersion: 1,
    scope: { app, user, session },
    revision: change.from + 1,
    history: [...(change.history ?? before?.history ?? []), ...(change.append ?? [])],
    state: applyStateDeltas(before?.state ?? {}, change.stateDelta ? [change.stateDelta] : []),
    ...(snapshot && { snapshot }),
    updatedAt: new Date().toISOString(),
  };
}

function conflict(session: string, from: number, revision: number): SkillError {
  return new SkillError(
    "CONFLICT",
    `The session "${session}" is at revision ${revision}, not ${from}. Read it again and repeat the change.`,
    { details: { revision } },
  );
}
