import { setTimeout } from "node:timers/promises";

/** Whether a NetworkPolicy takes the network away from pods. */
export interface PolicyEffect {
  readonly state: "enforced" | "not enforced" | "unknown";
  /** What was measured, for a person to read. */
  readonly because: string;
}

export interface PolicyProbe {
  /** Whether one pod reaches another one; `undefined` where its image has no program to find that out. */
  reaches(): Promise<boolean | undefined>;
  /** Makes the policy apply to the first pod, or no longer apply to it. */
  apply(isApplied: boolean): Promise<void>;
}

/** Network plug-ins take a moment to notice a change. */
const TRIES = 8;
const AGAIN_MS = 500;

/**
 * Measures it with one pod, before, while and after the policy applies to it. That it does not reach the other pod is
 * evidence only because it reaches the same pod without the policy, before and afterwards.
 */
export async function policyEffect({ reaches, apply }: PolicyProbe): Promise<PolicyEffect> {
  async function becomes(wanted: boolean): Promise<boolean | undefined> {
    for (let tries = 1; ; tries++) {
      const reached = await reaches();
      if (reached === undefined) return undefined;
      if (reached === wanted) return true;
      if (tries === TRIES) return false;
      await setTimeout(AGAIN_MS);
    }
  }

  const before = await becomes(true);
  if (before === undefined) return unknown("the image has no bash, with which this is measured");
  if (!before) return unknown("a pod without the policy did not reach the other one either");
  await apply(true);
  if (!(await becomes(false)))
    return { state: "not enforced", because: "a pod with the policy reached the other one" };
  await apply(false);
  if (!(await becomes(true)))
    return unknown("the other pod could no longer be reached without the policy either");
  return {
    state: "enforced",
    because: "a pod reached another one without the policy, and not while it applied",
  };
}

function unknown(because: string): PolicyEffect {
  return { state: "unknown", because };
}
