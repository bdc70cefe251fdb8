import type { SessionScope, SessionStore } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";

export interface SessionSubject {
  readonly sessions: SessionStore;
}

export type SessionPromise = ContractPromise<SessionSubject>;

export const SCOPE: SessionScope = { app: "contract", user: "ada", session: "one" };
