import { type CallOptions, type MetadataIndex, SkillError } from "@skillwright/core";
import { checkAborted, eitherSignal, untilAborted } from "@skillwright/core/adapter";

/**
 * Wraps the index so that a call without an answer in time fails with `BACKEND_FAILED`. The request is aborted; whether
 * it took effect is unknown then.
 */
export function indexInTime(index: MetadataIndex, timeoutMs: number): MetadataIndex {
  return {
    read: (options = {}) => inTime(options, timeoutMs, (given) => index.read(given)),
    write: (change, options = {}) => inTime(options, timeoutMs, (given) => index.write(change, given)),
    subscribe: (listener) => {
      let subscribing: ReturnType<MetadataIndex["subscribe"]> | undefined;
      return inTime({}, timeoutMs, () => {
        subscribing = index.subscribe(listener);
        return subscribing;
      }).catch((error: unknown) => {
        // A subscription that arrives late has no listener any more.
        void subscribing?.then((late) => late.close()).catch(() => undefined);
        throw error;
      });
    },
    close: () => index.close(),
    [Symbol.asyncDispose]: () => index.close(),
  };
}

async function inTime<T>(
  { signal }: CallOptions,
  timeoutMs: number,
  ask: (options: CallOptions) => Promise<T>,
): Promise<T> {
  checkAborted(signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const either = eitherSignal(signal, late.signal);
  try {
    return await untilAborted(ask({ signal: either }), either);
  } catch (error) {
    checkAborted(signal);
    if (!late.signal.aborted) throw error;
    const message = `The index did not answer in ${timeoutMs} ms. Repair it, or raise "timeoutMs".`;
    throw new SkillError("BACKEND_FAILED", message, { details: { timeoutMs } });
  } finally {
    clearTimeout(timer);
  }
}
