import type { ContractPromise } from "../contract.js";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";

/** The promise that a call with an aborted signal settles, with `ABORTED`. */
export function endsWhenAborted<Subject, Seed>(
  id: string,
  seed: Seed,
  call: (subject: Subject, signal: AbortSignal) => Promise<unknown>,
): ContractPromise<Subject, Seed> {
  return {
    id,
    promise: "A call with an aborted signal fails with ABORTED.",
    seed,
    run: async (subject) => {
      await inTime(failsWith(call(subject, AbortSignal.abort()), "ABORTED"), "The aborted call");
    },
  };
}
