import type { RevocableTrustStore, TrustStore } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";

export interface TrustSubject {
  readonly trust: TrustStore;
  /** A second store over the same storage; the same object where it is in memory. */
  readonly other: TrustStore;
}

export interface RevocableTrustSubject {
  readonly trust: RevocableTrustStore;
  readonly other: RevocableTrustStore;
}

export type TrustPromise = ContractPromise<TrustSubject>;
export type RevocableTrustPromise = ContractPromise<RevocableTrustSubject>;

export const DIGEST = digestOf("a");

export function digestOf(letter: string): string {
  return `sha256:${letter.repeat(64)}`;
}
