import type { SessionScope, TurnStore } from "@skillwright/core";
import type { StoredTurn } from "@skillwright/core/adapter";
import type { ContractPromise } from "../contract.js";

export interface TurnSubject {
  readonly turns: TurnStore;
  /** The same turns through another handle, as another process has it. */
  readonly other: TurnStore;
}

export type TurnPromise = ContractPromise<TurnSubject>;

export const SCOPE: SessionScope = { app: "contract", user: "ada", session: "one" };
export const KEY = { scope: SCOPE, turn: "first", holder: "h1" };

/** Reads all that these promises append in one call. */
export const MANY = { limit: 1000 };

/** An active turn whose lease never expires. */
export function turn(more: Partial<StoredTurn> = {}): StoredTurn {
  return {
    ...{ formatVersion: 1, ...structuredClone(KEY), startedAt: "2026-01-02T03:04:05.678Z", state: "active" },
    ...{ stopRequested: false, stamp: "s1", token: 1, untilMs: Number.MAX_SAFE_INTEGER, ...more },
  };
}
