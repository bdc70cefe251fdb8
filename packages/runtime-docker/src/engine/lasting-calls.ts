import type { CallOptions } from "@skillwright/core";
import type { EngineClient } from "./engine-client.js";

export interface LastingCalls {
  /** As `EngineClient.call`, but the engine's answer is waited for behind the back of who aborts. */
  call<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Settles when every one of them is answered. */
  over(): Promise<void>;
}

/**
 * Calls that make something. To break one off would not keep the engine from making it a little later, when whoever tidies up
 * has already looked.
 */
export function lastingCalls(engine: EngineClient, options: CallOptions): LastingCalls {
  const answers: Promise<unknown>[] = [];
  return {
    call: async (what, work) => {
      const begin = () => {
        const answer = work();
        answers.push(answer.catch(() => undefined));
        return answer;
      };
      return await engine.call(what, begin, options);
    },
    over: async () => void (await Promise.all(answers)),
  };
}
