import assert from "node:assert/strict";
import type { Closable } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";

/** The promise that closing twice, with `close` or `await using`, is not an error. */
export function closesTwice<Subject, Seed>(
  id: string,
  seed: Seed,
  closable: (subject: Subject) => Closable,
): ContractPromise<Subject, Seed> {
  return {
    id,
    promise: "Closing twice is not an error.",
    seed,
    run: async (subject) => {
      const opened = closable(subject);
      const close = async (): Promise<void> => {
        await opened.close();
        await opened.close();
        await opened[Symbol.asyncDispose]();
      };
      await assert.doesNotReject(close());
    },
  };
}
