import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Breakages, SessionSubject } from "@skillwright/contracts";
import { type SessionRecord, type SessionScope, type SessionStore, SkillError } from "@skillwright/core";
import type { SessionChange } from "@skillwright/core/adapter";
import { closingOnce } from "./closing-once.js";

export const sessionBreakages: Breakages<SessionSubject> = {
  "session-store/update/first": updated((record) => ({ ...record, updatedAt: "now" })),
  "session-store/update/revision": updated((record) => ({ ...record, revision: 1 })),
  "session-store/update/append": changing((change) => (change.append ? { ...change, history: [] } : change)),
  "session-store/update/history": changing(({ history, ...change }) => change),
  "session-store/update/state": updated((record, { stateDelta }) => ({
    ...record,
    state: { ...record.state, ...stateDelta },
  })),
  "session-store/update/snapshot": updated(({ snapshot, ...record }, change) => ({
    ...record,
    ...(change.snapshot && { snapshot: change.snapshot }),
  })),
  "session-store/update/conflict": overriding((store) => ({
    update: async (scope, change) =>
      await store.update(scope, { ...change, from: (await store.get(scope))?.revision ?? 0 }),
  })),
  "session-store/update/at-once": overriding((store) => ({
    update: async (scope, change) => {
      const seen = (await store.get(scope))?.revision ?? 0;
      if (seen !== change.from) throw new SkillError("CONFLICT", "Changed meanwhile.");
      await setImmediate();
      return await store.update(scope, { ...change, from: (await store.get(scope))?.revision ?? 0 });
    },
  })),
  "session-store/update/own": overriding((store) => {
    let shared: SessionRecord | undefined;
    return {
      get: async (scope) => {
        shared ??= await store.get(scope);
        return shared;
      },
    };
  }),
  "session-store/update/aborted": overriding((store) => ({
    update: (scope, change) => store.update(scope, change),
  })),

  "session-store/get/unknown": overriding((store) => ({
    get: async (scope) =>
      (await store.get(scope)) ?? {
        formatVersion: 1,
        scope,
        revision: 0,
        history: [],
        state: {},
        updatedAt: new Date(0).toISOString(),
      },
  })),
  "session-store/scope/apart": scoped(({ app, user, session }) => {
    const key = createHash("sha256").update([app, user, session].join("/")).digest("hex");
    return { app: "all", user: "all", session: key };
  }),
  "session-store/scope/refused": scoped(({ app, user, session }) => ({
    app: plainPart(app),
    user: plainPart(user),
    session: plainPart(session),
  })),
  "session-store/delete/removed": overriding((store) => ({
    delete: async (scope) => {
      await store.delete(scope);
      return true;
    },
  })),
  "session-store/list/own-sessions": overriding((store) => ({
    list: async ({ app, user }) => {
      const all = await Promise.all([user, "bob"].map((owner) => store.list({ app, user: owner })));
      return all.flat();
    },
  })),
  "session-store/get/aborted": overriding((store) => ({ get: (scope) => store.get(scope) })),
  "session-store/delete/aborted": overriding((store) => ({ delete: (scope) => store.delete(scope) })),
  "session-store/list/aborted": overriding((store) => ({ list: (scope) => store.list(scope) })),
  "session-store/close/twice": overriding(() => ({ close: closingOnce() })),
};

function overriding(
  changed: (store: SessionStore) => Partial<SessionStore>,
): (subject: SessionSubject) => SessionSubject {
  return ({ sessions }) => ({ sessions: { ...sessions, ...changed(sessions) } });
}

function changing(
  change: (given: SessionChange) => SessionChange,
): (subject: SessionSubject) => SessionSubject {
  return overriding((store) => ({ update: (scope, given) => store.update(scope, change(given)) }));
}

function updated(
  changed: (record: SessionRecord, change: SessionChange) => SessionRecord,
): (subject: SessionSubject) => SessionSubject {
  return overriding((store) => ({
    update: async (scope, change) => changed(await store.update(scope, change), change),
  }));
}

function scoped(changed: (scope: SessionScope) => SessionScope): (subject: SessionSubject) => SessionSubject {
  return overriding((store) => ({
    get: (scope) => store.get(changed(scope)),
    update: (scope, change) => store.update(changed(scope), change),
  }));
}

function plainPart(part: string): string {
  return part.replace(/\W/g, "_").slice(0, 100) || "_";
}
