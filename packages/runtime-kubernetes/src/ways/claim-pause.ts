import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, eitherSignal } from "@skillwright/core/adapter";
import type { Cluster } from "../cluster/cluster.js";
import type { Pod } from "../pod/pod.js";
import type { PodCalls, PodChange } from "../pod/pod-calls.js";
import { ANNOTATIONS, DOMAIN } from "../pod/pod-names.js";
import type { Claim } from "./claim.js";
import type { ClaimCalls } from "./claim-calls.js";

/** Suspends the sandbox of a claim: its pod goes, and the volumes of its `volumeClaimTemplates` stay for the next pod. */
export interface ClaimPause {
  /** Settles when the pod is gone. The record of the workspace moves to the claim. */
  suspend(claim: Claim, pod: Pod, options: CallOptions): Promise<void>;
  /** Returns the new pod with the record of the workspace. The caller writes that record on the pod. */
  wake(claim: Claim, options: CallOptions): Promise<Pod>;
}

const SANDBOXES = "agents.x-k8s.io/v1beta1";
const AGAIN_MS = 50;

export function claimPause(
  cluster: Cluster,
  { claims, pods, timeoutMs }: { claims: ClaimCalls; pods: PodCalls; timeoutMs: number },
): ClaimPause {
  async function setMode(name: string, operatingMode: "Running" | "Suspended", options: CallOptions) {
    const path = `/apis/${SANDBOXES}/namespaces/${cluster.namespace}/sandboxes/${name}`;
    const doing = `Setting the Sandbox ${name} to ${operatingMode}`;
    await cluster.call({ method: "PATCH", path, body: { spec: { operatingMode } }, doing }, options);
  }

  async function suspend({ metadata, status }: Claim, pod: Pod, options: CallOptions): Promise<void> {
    const record = JSON.stringify(recordOf(pod));
    const annotations = { [ANNOTATIONS.paused]: record, [ANNOTATIONS.pod]: null };
    const { name, resourceVersion } = metadata;
    const doing = `Recording the pause of the SandboxClaim ${name}`;
    await claims.change(name, { metadata: { resourceVersion, annotations } }, doing, options);
    await setMode(status?.sandbox?.name ?? "", "Suspended", options);
    await until("its pod is gone", options, async (signal) => {
      const there = await pods.read(pod.metadata.name, `Reading the pod ${pod.metadata.name}`, { signal });
      return there?.metadata.uid === pod.metadata.uid ? undefined : true;
    });
  }

  async function wake({ metadata, status }: Claim, options: CallOptions): Promise<Pod> {
    const name = status?.sandbox?.name ?? "";
    const record = JSON.parse(metadata.annotations?.[ANNOTATIONS.paused] ?? "{}") as Required<PodChange>;
    await setMode(name, "Running", options);
    const pod = await until("it has a pod", options, async (signal) => {
      const there = await pods.read(name, `Reading the pod ${name}`, { signal });
      return there?.metadata.deletionTimestamp === undefined ? there : undefined;
    });
    const { labels, annotations } = pod.metadata;
    return {
      ...pod,
      metadata: {
        ...pod.metadata,
        labels: { ...labels, ...record.labels },
        annotations: { ...annotations, ...record.annotations } as Readonly<Record<string, string>>,
      },
    };
  }

  async function until<T>(
    what: string,
    options: CallOptions,
    look: (signal: AbortSignal) => Promise<T | undefined>,
  ): Promise<T> {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = eitherSignal(options.signal, late);
    try {
      for (;;) {
        const found = await look(signal);
        if (found !== undefined) return found;
        await setTimeout(AGAIN_MS, undefined, { signal });
      }
    } catch (error) {
      checkAborted(options.signal);
      throw late.aborted ? stuck(what, timeoutMs) : error;
    }
  }

  return { suspend, wake };
}

/** True where the files of the workspace outlive its pod. */
export function isPausable({ spec }: Pod): boolean {
  const volume = spec?.volumes?.find(({ name }) => name === "workspace");
  return volume?.persistentVolumeClaim !== undefined;
}

/** What this runtime has written on a pod. */
export function recordOf({ metadata: { labels = {}, annotations = {} } }: Pod): Required<PodChange> {
  const ours = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(`${DOMAIN}/`)));
  const managed = "app.kubernetes.io/managed-by";
  return {
    labels: { ...ours(labels), ...(labels[managed] !== undefined && { [managed]: labels[managed] }) },
    // The next pod may be of another template.
    annotations: Object.fromEntries(
      Object.entries(ours(annotations)).filter(([name]) => name !== ANNOTATIONS.measured),
    ),
  };
}

function stuck(what: string, timeoutMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The controller of agent-sandbox did not change a Sandbox within ${timeoutMs} ms so that ${what}. Check that it runs, and try again.`,
    { details: { reason: "NotReconciled" } },
  );
}
