import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Breakages, TurnSubject } from "@skillwright/contracts";
import type { JsonValue, SessionScope, TurnStore } from "@skillwright/core";
import type { StoredTurn } from "@skillwright/core/adapter";
import { closingOnce } from "./closing-once.js";

const ENDED_SCOPE = { app: "contract", user: "ada", session: "ended" };

export const turnBreakages: Breakages<TurnSubject> = {
  "turn-store/get/unknown": overriding((store) => ({
    get: async (scope) => ({ ...(await store.get(scope)), nowMs: undefined as never }),
  })),
  "turn-store/put/kept": storing((turn) => ({ ...turn, untilMs: Math.round(turn.untilMs) })),
  "turn-store/put/stale": overriding((store) => ({
    put: async (turn) => await store.put(turn, (await store.get(turn.scope)).stored?.stamp),
  })),
  "turn-store/put/at-once": overriding((store) => ({
    put: async (turn, from, options) => {
      const { stored } = await store.get(turn.scope, options);
      if (stored?.stamp !== from) return false;
      await setImmediate();
      return await store.put(turn, (await store.get(turn.scope)).stored?.stamp);
    },
  })),
  "turn-store/put/own": overriding((store) => {
    let shared: ReturnType<TurnStore["get"]> | undefined;
    return { get: (scope) => (shared ??= store.get(scope)) };
  }),
  "turn-store/put/next-turn": overriding((store) => {
    const dropped: JsonValue[] = [];
    return {
      append: async (turn, log, events) => {
        dropped.push(...events);
        return await store.append(turn, log, events);
      },
      read: async () => dropped,
    };
  }),
  "turn-store/put/output": overriding((store) => ({
    read: async (key, log, from, options) =>
      (await store.get(key.scope)).stored?.turn === key.turn ? await store.read(key, log, from, options) : [],
  })),
  "turn-store/scope/apart": scoped(({ app, user, session }) => {
    const key = createHash("sha256").update([app, user, session].join("/")).digest("hex");
    return { app: "all", user: "all", session: key };
  }),
  "turn-store/scope/refused": scoped(({ app, user, session }) => ({
    app: plainPart(app),
    user: plainPart(user),
    session: plainPart(session),
  })),
  "turn-store/lapsed/due": overriding((store) => ({
    lapsed: async (app) => {
      const { stored } = await store.get({ ...ENDED_SCOPE, app });
      return [...(await store.lapsed(app)), ...(stored ? [stored] : [])];
    },
  })),
  "turn-store/delete/removed": overriding((store) => ({
    delete: async (scope) => {
      const { stored } = await store.get(scope);
      if (stored) await store.put({ ...stored, stamp: "gone", state: "ended" }, stored.stamp);
    },
  })),
  "turn-store/get/aborted": overriding((store) => ({ get: (scope) => store.get(scope) })),
  "turn-store/put/aborted": overriding((store) => ({ put: (turn, from) => store.put(turn, from) })),
  "turn-store/lapsed/aborted": overriding((store) => ({ lapsed: (app) => store.lapsed(app) })),
  "turn-store/delete/aborted": overriding((store) => ({ delete: (scope) => store.delete(scope) })),
  "turn-store/close/twice": overriding(() => ({ close: closingOnce() })),

  "turn-store/append/order": overriding((store) => ({
    append: (turn, _log, events) => store.append(turn, "events", events),
  })),
  "turn-store/append/refused": overriding((store) => ({
    append: async (turn, log, events) => {
      const { stored } = await store.get(turn.scope);
      return await store.append({ ...turn, holder: stored?.holder ?? "" }, log, events);
    },
  })),
  "turn-store/append/expired": overriding((store) => ({
    append: async (turn, log, events) => {
      const { stored, nowMs } = await store.get(turn.scope);
      return stored && stored.untilMs > nowMs ? await store.append(turn, log, events) : undefined;
    },
  })),
  "turn-store/append/at-once": overriding((store) => ({
    append: async (turn, log, events) => {
      let length: number | undefined;
      for (const event of events) {
        length = await store.append(turn, log, [event]);
        await setImmediate();
      }
      return length;
    },
  })),
  "turn-store/append/many": overriding((store) => ({
    append: (turn, log, events) => store.append(turn, log, events.slice(0, 1000)),
  })),
  "turn-store/read/part": overriding((store) => ({
    read: (key, log, from, options) => store.read(key, log, from, { ...options, limit: 1000 }),
  })),
  "turn-store/read/unknown": overriding((store) => ({
    read: (key, log, from, options) => store.read({ ...key, turn: "first" }, log, from, options),
  })),
  "turn-store/waiter/told": overriding((store) => ({
    waiter: (scope) =>
      ({ ...store.waiter?.(scope), wait: () => new Promise<void>(() => undefined) }) as never,
  })),
  "turn-store/append/aborted": overriding((store) => ({
    append: (turn, log, events) => store.append(turn, log, events),
  })),
  "turn-store/read/aborted": overriding((store) => ({
    read: (key, log, from, { limit }) => store.read(key, log, from, { limit }),
  })),
};

function overriding(
  changed: (store: TurnStore) => Partial<TurnStore>,
): (subject: TurnSubject) => TurnSubject {
  return ({ turns }) => {
    const broken = { ...turns, ...changed(turns) };
    return { turns: broken, other: broken };
  };
}

function storing(changed: (turn: StoredTurn) => StoredTurn): (subject: TurnSubject) => TurnSubject {
  return overriding((store) => ({
    put: (turn, from, options) => store.put(changed(turn), from, options),
  }));
}

function scoped(changed: (scope: SessionScope) => SessionScope): (subject: TurnSubject) => TurnSubject {
  return overriding((store) => ({
    get: (scope) => store.get(changed(scope)),
    put: (turn, from) => store.put({ ...turn, scope: changed(turn.scope) }, from),
    append: (turn, log, events) => store.append({ ...turn, scope: changed(turn.scope) }, log, events),
    read: (key, log, from, { limit }) =>
      store.read({ ...key, scope: changed(key.scope) }, log, from, { limit }),
    delete: (scope) => store.delete(changed(scope)),
  }));
}

function plainPart(part: string): string {
  return part.replace(/\W/g, "_").slice(0, 100) || "_";
}
