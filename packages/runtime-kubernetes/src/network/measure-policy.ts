import { setTimeout } from "node:timers/promises";
import type { OpenedWorkspace } from "../kubernetes-workspace.js";
import type { Pod } from "../pod/pod.js";
import { LABELS } from "../pod/pod-names.js";
import type { WorkspacePods } from "../pod/workspace-pods.js";
import { type PolicyEffect, policyEffect } from "./policy-effect.js";
import { reaching, wasReached } from "./reaching.js";

const TRIES = 300;
const AGAIN_MS = 100;

interface ProbedPod {
  readonly id: string;
  readonly pod: Pod;
  readonly opened: Pick<OpenedWorkspace, "printed">;
}

/** Measures whether the cluster enforces the policy for workspaces without network, with two pods that have one. */
export async function measurePolicy(
  pods: WorkspacePods,
  [from, to]: readonly [ProbedPod, ProbedPod],
): Promise<PolicyEffect> {
  const address = await addressOf(pods, to.pod);
  if (!address) return { state: "unknown", because: "the cluster does not tell the address of a pod" };
  return await policyEffect({
    reaches: async () => wasReached(await from.opened.printed(reaching(address))),
    apply: async (isApplied) => {
      const labels = { [LABELS.network]: isApplied ? "none" : "open" };
      await pods.change(from.id, from.pod, { labels }, {});
    },
  });
}

/** A pod is used before the cluster tells its address. */
async function addressOf(pods: WorkspacePods, pod: Pod): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const now = await pods.look(pod, {});
    if (now?.status?.podIP) return now.status.podIP;
    await setTimeout(AGAIN_MS);
  }
  return undefined;
}
