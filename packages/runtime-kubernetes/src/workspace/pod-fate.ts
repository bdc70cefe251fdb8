import { setTimeout } from "node:timers/promises";
import type { CallOptions, Diagnostic } from "@skillwright/core";
import { hasEnded, isFinal, type Pod } from "../pod/pod.js";
import type { WorkspacePods } from "../pod/workspace-pods.js";
import { podEnd } from "./pod-end.js";

const AGAIN_MS = 100;
/** A pod that is being deleted by a cluster whose node is gone may stay for ever. */
const MOST_ASKED = 300;
/** The node tells why it ended a pod when it has ended all containers, a moment after it told that one has ended. */
const MOST_ASKED_WHY = 50;

export interface FateCall {
  /** Rejects where no command can be started in the pod. */
  reach(options: CallOptions): Promise<unknown>;
  /** Fires when nobody needs the answer any more. */
  readonly closed: AbortSignal;
}

/**
 * Tells what ended all processes of the pod: `undefined` while its commands may still run. Waits for a deletion that
 * has begun, and while no command can be started: the cluster notices a second later that a container has ended.
 */
export async function podFate(
  pods: WorkspacePods,
  pod: Pod,
  { reach, closed }: FateCall,
): Promise<Diagnostic | undefined> {
  let askedWhy = 0;
  for (let asked = 0; asked < MOST_ASKED && !closed.aborted; asked++) {
    const now = await pods.look(pod, {}).catch(() => pod);
    if (!now || isFinal(now)) return podEnd(now);
    if (hasEnded(now)) {
      const end = podEnd(now);
      if (end.code !== "pod.removed" || ++askedWhy > MOST_ASKED_WHY) return end;
      await setTimeout(AGAIN_MS);
      continue;
    }
    const isReached = () =>
      reach({ signal: closed }).then(
        () => true,
        () => false,
      );
    if (now.metadata.deletionTimestamp === undefined && (await isReached())) return undefined;
    await setTimeout(AGAIN_MS);
  }
  return undefined;
}
