import type { Diagnostic, RunLimits } from "@skillwright/core";

export function limitReached(limit: keyof RunLimits): Diagnostic {
  const [what, hint] = REACHED[limit] ?? [`It reached its limit of ${limit}`, "Raise the limit."];
  return { code: `limit.${limit}-reached`, severity: "warning", message: `${what}.`, hint };
}

const REACHED: Partial<Record<keyof RunLimits, readonly [string, string]>> = {
  memoryBytes: [
    "The command needed more memory than it was allowed, and the system ended a process of it",
    "Raise memoryBytes, or work on the input in parts.",
  ],
  processes: [
    "The command wanted more processes at once than it was allowed",
    "Raise processes, or start fewer at a time.",
  ],
};

/** A limit that is asked for with `bestEffort` and that nothing here can hold a command to. */
export function limitNotEnforced(limit: keyof RunLimits, value: number, why: string): Diagnostic {
  return {
    code: "limit.not-enforced",
    severity: "warning",
    message: `The limit ${limit} of ${value} was not enforced: ${why}.`,
    hint: "Use a runtime whose capabilities name this limit, or do without it.",
  };
}
