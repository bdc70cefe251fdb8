import { checkAborted, untilAborted } from "@skillwright/core/adapter";

/** Settles as the work does, or rejects with `ABORTED` as soon as the signal fires. */
export async function call<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  checkAborted(signal);
  return await untilAborted(work(), signal);
}
