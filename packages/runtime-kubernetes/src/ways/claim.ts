import { SkillError } from "@skillwright/core";
import { ANNOTATIONS, FORMAT_VERSION, LABELS, ownerLabels, podName, shortHash } from "../pod/pod-names.js";
import type { WantedPod } from "./pod-way.js";

/** The parts of a SandboxClaim that this runtime reads. */
export interface Claim {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly lifecycle?: { readonly shutdownTime?: string } };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly sandbox?: { readonly name?: string };
  };
}

export const CLAIMS = "extensions.agents.x-k8s.io/v1beta1";

/** A claim of a sandbox of the pool, which the cluster removes at that time. */
export function claimManifest(
  { id, owner, creation }: WantedPod,
  { warmPool, shutdownTime }: { readonly warmPool: string; readonly shutdownTime: string },
): object {
  return {
    apiVersion: CLAIMS,
    kind: "SandboxClaim",
    metadata: {
      name: podName(id, owner),
      labels: { ...ownerLabels(owner), [LABELS.workspace]: shortHash(id) },
      annotations: {
        [ANNOTATIONS.id]: id,
        [ANNOTATIONS.format]: FORMAT_VERSION,
        [ANNOTATIONS.creation]: creation,
      },
    },
    spec: {
      warmPoolRef: { name: warmPool },
      lifecycle: { shutdownTime, shutdownPolicy: "Delete" },
    },
  };
}

/** Why the claim will not get a sandbox, as far as the cluster tells; `undefined` while it still may. */
export function claimTrouble(claim: Claim, id: string, warmPool: string): SkillError | undefined {
  const { reason = "" } = readiness(claim);
  if (reason === "WarmPoolNotFound")
    return failed(
      id,
      `the namespace has no SandboxWarmPool ${warmPool}. Create it, as deploy/kubernetes/sandbox does, or change warmPool.`,
      { reason },
    );
  if (reason === "TemplateNotFound")
    return failed(
      id,
      `the SandboxWarmPool ${warmPool} names a SandboxTemplate that is not there. Create it, as deploy/kubernetes/sandbox does.`,
      { reason },
    );
  return claim.metadata.deletionTimestamp === undefined
    ? undefined
    : failed(id, "its SandboxClaim was deleted while it waited. Try again.", { reason: "Deleted" });
}

/** What the claim still waits for when the time is over. */
export function neverBound(claim: Claim, id: string, timeoutMs: number): SkillError {
  const { reason = "nothing", message = "" } = readiness(claim);
  // A Sandbox that did not come from the warm pool has the same name as its claim.
  if (/is not controlled by claim/.test(message))
    return failed(
      id,
      `the Sandbox ${claim.metadata.name} of an earlier SandboxClaim was still there after ${timeoutMs} ms; the cluster removes it with its claim. Try again, and check that kube-controller-manager runs, or delete that Sandbox.`,
      { reason },
    );
  return failed(
    id,
    `its SandboxClaim got no sandbox within ${timeoutMs} ms; the cluster says ${reason}${message && `, ${message}`}. Check that the controller of agent-sandbox runs with its extensions, or raise startTimeoutMs.`,
    { reason },
  );
}

export function noClaims(cause: unknown): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The cluster has no SandboxClaim (${CLAIMS}). Install agent-sandbox with its extensions, or leave out warmPool.`,
    { cause, details: { status: 404, reason: "NoClaims" } },
  );
}

function readiness({ status }: Claim): { readonly reason?: string; readonly message?: string } {
  return status?.conditions?.find(({ type }) => type === "Ready") ?? {};
}

function failed(id: string, why: string, details: Record<string, unknown>): SkillError {
  return new SkillError("BACKEND_FAILED", `The workspace ${id} could not be created: ${why}`, {
    details: { workspaceId: id, ...details },
  });
}
