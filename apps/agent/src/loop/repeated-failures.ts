import type { AnsweredCall } from "./run-tool-calls.js";

const LIMIT = 3;

/** Notices a model that makes the same refused call again and again, within one turn. */
export function failureCounter(): {
  /** True once a call with equal input was refused for the third time. */
  seen(calls: readonly AnsweredCall[]): boolean;
} {
  const counts = new Map<string, number>();
  return {
    seen: (calls) => {
      for (const { tool, input, result } of calls) {
        if (!result.isError) continue;
        const key = JSON.stringify([tool, input]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return [...counts.values()].some((count) => count >= LIMIT);
    },
  };
}
