import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { type CreateWorkspaceOptions, checkAborted, eitherSignal } from "@skillwright/core/adapter";
import type { Cluster } from "../cluster/cluster.js";
import { statusOf } from "../cluster/cluster-error.js";
import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import { isAlive, type Pod } from "../pod/pod.js";
import type { PodCalls } from "../pod/pod-calls.js";
import { ANNOTATIONS, podName, podRecordOf, workspaceNotFound } from "../pod/pod-names.js";
import { type Claim, claimManifest, claimTrouble, neverBound } from "./claim.js";
import { claimCalls } from "./claim-calls.js";
import { claimPause, recordOf as writtenOn } from "./claim-pause.js";
import type { PodWay, Recorded, WantedPod } from "./pod-way.js";

const AGAIN_MS = 20;
const TRIES = 50;
/** The controller writes it on pods of claimed sandboxes. */
const CLAIM_LABEL = "agents.x-k8s.io/claim-uid";

/**
 * Claims a sandbox of a SandboxWarmPool for each workspace. The record of the workspace is on the pod, and the claim names
 * that pod: the controller replaces a pod that goes away, and the new one has neither files nor record.
 */
export function claimedPods(
  cluster: Cluster,
  pods: PodCalls,
  wish: KubernetesWish & { readonly warmPool: string },
): PodWay {
  const claims = claimCalls(cluster, wish);
  const { warmPool, keepMs, startTimeoutMs, owner } = wish;
  const nameOf = (id: string) => podName(id, owner);
  const pause = claimPause(cluster, { claims, pods, timeoutMs: startTimeoutMs });
  /** When the cluster removes each claim, in milliseconds of the cluster's clock, by the UID of its pod. */
  const known = new Map<string, number>();

  async function take(wanted: WantedPod, options: CallOptions): Promise<Pod> {
    const claim = await made(wanted, options);
    try {
      return await bound(claim, wanted, options);
    } catch (error) {
      // The first failure is thrown. The cluster removes the claim at its `shutdownTime`.
      await claims.remove(claim.metadata, {}).catch(() => undefined);
      throw error;
    }
  }

  /** Until a pod is recorded, the cluster itself removes what a creator that was killed left. */
  async function made(wanted: WantedPod, options: CallOptions): Promise<Claim> {
    const { id, creation } = wanted;
    const shutdownTime = timeText((await cluster.now(options)) + 2 * startTimeoutMs);
    const doing = `Claiming a sandbox for the workspace ${id}`;
    try {
      return await claims.create(claimManifest(wanted, { warmPool, shutdownTime }), doing, options);
    } catch (error) {
      if (!SkillError.is(error, "CONFLICT")) throw error;
      const there = await read(id, options);
      if (there?.metadata.annotations?.[ANNOTATIONS.creation] === creation) return there;
      throw error;
    }
  }

  async function bound(claim: Claim, wanted: WantedPod, options: CallOptions): Promise<Pod> {
    const late = AbortSignal.timeout(startTimeoutMs);
    const signal = eitherSignal(options.signal, late);
    let now = claim;
    try {
      for await (const seen of claims.watch(claim.metadata.name, { signal })) {
        now = seen;
        const trouble = claimTrouble(now, wanted.id, warmPool);
        if (trouble) throw trouble;
        const pod = await recorded(now, wanted, { signal });
        if (pod) return pod;
      }
      throw neverBound(now, wanted.id, startTimeoutMs);
    } catch (error) {
      checkAborted(options.signal);
      throw late.aborted ? neverBound(now, wanted.id, startTimeoutMs) : error;
    }
  }

  /** A sandbox that was not warm gets its pod a moment later. */
  async function recorded(claim: Claim, wanted: WantedPod, options: CallOptions): Promise<Pod | undefined> {
    const name = claim.status?.sandbox?.name;
    if (!name) return undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const pod = await pods.read(name, `Reading the pod ${name}`, options);
      const marked = pod && isOf(claim, pod) ? await marking(claim, pod, wanted, options) : undefined;
      if (marked) return marked;
      await setTimeout(AGAIN_MS, undefined, options);
    }
    return undefined;
  }

  async function marking(
    { metadata: { uid, name } }: Claim,
    there: Pod,
    wanted: WantedPod,
    options: CallOptions,
  ): Promise<Pod | undefined> {
    const { metadata } = there;
    const { labels, annotations } = podRecordOf(wanted);
    const change = { labels, annotations: { ...annotations, [ANNOTATIONS.claim]: uid } };
    wanted.found?.({ ...there, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } });
    const pod = await pods.change(metadata, change, `Recording the workspace ${wanted.id}`, options);
    if (pod) await prolonged({ name }, pod, keepMs, options);
    return pod;
  }

  async function read(id: string, options: CallOptions): Promise<Claim | undefined> {
    return await claims.read(nameOf(id), `Reading the SandboxClaim of the workspace ${id}`, options);
  }

  async function podOf({ metadata }: Claim, options: CallOptions): Promise<Pod | undefined> {
    const recorded = metadata.annotations?.[ANNOTATIONS.pod];
    if (recorded === undefined) return undefined;
    const [name = ""] = recorded.split("/");
    const pod = await pods.read(name, `Reading the pod ${name}`, options);
    return pod && recordOf(pod) === recorded ? pod : undefined;
  }

  async function find(id: string, options: CallOptions): Promise<Pod | undefined> {
    const claim = await read(id, options);
    const pod = claim && (await podOf(claim, options));
    if (pod) known.set(pod.metadata.uid, endOf(claim));
    return pod;
  }

  async function free(
    id: string,
    { signal, replaceUnfinished }: CallOptions & Pick<CreateWorkspaceOptions, "replaceUnfinished">,
  ): Promise<boolean> {
    const options = { signal };
    const claim = await read(id, options);
    if (!claim) return true;
    const { deletionTimestamp, annotations } = claim.metadata;
    if (deletionTimestamp !== undefined) return false;
    // The process that creates a claim records the pod in its last step.
    if (annotations?.[ANNOTATIONS.pod] === undefined)
      return replaceUnfinished === true && (await claims.remove(claim.metadata, options));
    const pod = await podOf(claim, options);
    return pod && isAlive(pod) ? false : await claims.remove(claim.metadata, options);
  }

  async function remove(id: string, { metadata }: Pod, options: CallOptions): Promise<boolean> {
    known.delete(metadata.uid);
    const uid = metadata.annotations?.[ANNOTATIONS.claim] ?? "";
    return await claims.remove({ name: nameOf(id), uid }, options);
  }

  async function pausedClaim(id: string, options: CallOptions): Promise<Claim | undefined> {
    const claim = await read(id, options);
    return claim && isPaused(claim) ? claim : undefined;
  }

  async function suspend(id: string, pod: Pod, options: CallOptions, tries = 1): Promise<void> {
    const claim = await read(id, options);
    if (claim?.metadata.annotations?.[ANNOTATIONS.pod] !== recordOf(pod)) {
      // Another process has paused it.
      if (claim && isPaused(claim)) return;
      throw workspaceNotFound(id);
    }
    const now = await pods.read(pod.metadata.name, `Reading the pod ${pod.metadata.name}`, options);
    if (!now) throw workspaceNotFound(id);
    try {
      await pause.suspend(claim, now, options);
      known.delete(pod.metadata.uid);
    } catch (error) {
      // The controller of agent-sandbox may have changed the claim meanwhile.
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      await suspend(id, pod, options, tries + 1);
    }
  }

  async function wake(id: string, options: CallOptions): Promise<Pod | undefined> {
    const claim = await pausedClaim(id, options);
    return claim && (await pause.wake(claim, options));
  }

  async function awake(id: string, pod: Pod, options: CallOptions): Promise<void> {
    const doing = `Recording the workspace ${id}`;
    if (!(await pods.change(pod.metadata, writtenOn(pod), doing, options))) throw workspaceNotFound(id);
    await prolonged({ name: nameOf(id) }, pod, keepMs, options);
  }

  async function discard(id: string, options: CallOptions): Promise<boolean> {
    const claim = await pausedClaim(id, options);
    return claim !== undefined && (await claims.remove(claim.metadata, options));
  }

  async function sweep(
    pods: () => Promise<readonly Pod[]>,
    options: CallOptions,
  ): Promise<readonly Recorded[]> {
    const all = await claims.list(options);
    const alive = new Map((await pods()).filter(isAlive).map((pod) => [recordOf(pod), pod]));
    const found: Recorded[] = all.filter(isPaused);
    for (const { metadata } of all) {
      const recorded = metadata.annotations?.[ANNOTATIONS.pod];
      if (recorded === undefined) continue;
      const pod = alive.get(recorded);
      if (pod) found.push(pod);
      else await claims.remove(metadata, options);
    }
    return found;
  }

  /** Another process may have asked for a longer time. */
  async function keep(id: string, pod: Pod, forMs: number, options: CallOptions): Promise<void> {
    const { uid } = pod.metadata;
    const isKept = async () => (known.get(uid) ?? 0) >= (await cluster.now(options)) + forMs + keepMs / 2;
    while (!(await isKept())) {
      const claim = await read(id, options);
      if (claim?.metadata.annotations?.[ANNOTATIONS.pod] !== recordOf(pod)) return;
      known.set(uid, endOf(claim));
      if (await isKept()) return;
      await prolonged(claim.metadata, pod, forMs + keepMs, options).catch((error: unknown) => {
        if (statusOf(error) !== 409) throw error;
      });
    }
  }

  /** Moves the end of the claim; with a version, only where the claim still has that version. */
  async function prolonged(
    { name, resourceVersion }: { readonly name: string; readonly resourceVersion?: string },
    pod: Pod,
    forMs: number,
    options: CallOptions,
  ): Promise<void> {
    const end = (await cluster.now(options)) + forMs;
    const change = {
      metadata: {
        resourceVersion,
        annotations: { [ANNOTATIONS.pod]: recordOf(pod), [ANNOTATIONS.paused]: null },
      },
      spec: { lifecycle: { shutdownTime: timeText(end) } },
    };
    await claims.change(name, change, `Keeping the SandboxClaim ${name}`, options);
    known.set(pod.metadata.uid, end);
  }

  return {
    ...{ take, find, free, remove, sweep, keep, discard },
    ...{ pause: suspend, resume: wake, resumed: awake },
  };
}

function isPaused({ metadata: { annotations, deletionTimestamp } }: Claim): boolean {
  return annotations?.[ANNOTATIONS.paused] !== undefined && deletionTimestamp === undefined;
}

/**
 * False for a pod of an earlier claim of the same workspace: a sandbox that was not warm has the name of its claim, and
 * goes a moment later than the claim.
 */
function isOf(claim: Claim, { metadata: { labels, annotations, deletionTimestamp } }: Pod): boolean {
  const { uid } = claim.metadata;
  const isOther = (found: string | undefined) => found !== undefined && found !== uid;
  return (
    deletionTimestamp === undefined &&
    !isOther(labels?.[CLAIM_LABEL]) &&
    !isOther(annotations?.[ANNOTATIONS.claim])
  );
}

/** How the claim names its pod. */
function recordOf({ metadata: { name, uid } }: Pod): string {
  return `${name}/${uid}`;
}

function endOf({ spec }: Claim): number {
  return Date.parse(spec?.lifecycle?.shutdownTime ?? "") || Number.POSITIVE_INFINITY;
}

/** To the second, as the cluster keeps it. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
