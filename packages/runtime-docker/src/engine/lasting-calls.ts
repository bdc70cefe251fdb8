import type { CallOptions } from "@skillwright/core";
import type { EngineClient } from "./engine-client.js";

export interface LastingCalls {
  /** Like `EngineClient.call`, but after an abort the engine's answer is still awaited in the background. */
  call<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Settles when all of them were answered. */
  over(): Promise<void>;
}

/**
 * Calls that create something. Aborting one would not prevent the engine from creating it slightly later, after the
 * cleanup.
 */
export function lastingCalls(engine: EngineClient, options: CallOptions): LastingCalls {
  const answers: Promise<unknown>[] = [];
  return {
    call: async (what, work) => {
      const begin = () => {
        const answer = work();
        // Its failure is thrown to the caller.
        answers.push(answer.catch(() => undefined));
        return answer;
      };
      return await engine.call(what, begin, options);
    },
    over: async () => void (await Promise.all(answers)),
  };
}
