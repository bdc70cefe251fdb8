import type { CallOptions } from "@skillwright/core";
import type { Cluster } from "../cluster/cluster.js";
import type { ClusterFinding } from "./check-cluster.js";

interface Right {
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly group?: string;
}

const EXEC = rightsOf(["get", "create"], { resource: "pods", subresource: "exec" });

/** As `deploy/kubernetes/base/rights.yaml` gives them. */
const OF_PODS = [
  ...rightsOf(["create", "get", "list", "watch", "delete", "patch"], { resource: "pods" }),
  ...EXEC,
];

/** As `deploy/kubernetes/sandbox/rights.yaml` gives them. */
const OF_CLAIMS = [
  ...rightsOf(["get", "list", "watch", "patch"], { resource: "pods" }),
  ...EXEC,
  ...rightsOf(["create", "get", "list", "watch", "delete", "patch"], {
    resource: "sandboxclaims",
    group: "extensions.agents.x-k8s.io",
  }),
  { verb: "patch", resource: "sandboxes", group: "agents.x-k8s.io" },
];

export async function rightsFinding(
  cluster: Cluster,
  warmPool: string | undefined,
  options: CallOptions,
): Promise<ClusterFinding> {
  const rights = warmPool === undefined ? OF_PODS : OF_CLAIMS;
  const answers = await Promise.all(
    rights.map(async (right) => ({ ...right, allowed: await isAllowed(cluster, right, options) })),
  );
  const refused = answers.filter(({ allowed }) => !allowed).map(nameOf);
  if (refused.length === 0) return { check: "rights", state: "ok", message: rights.map(nameOf).join(", ") };
  const folder = `deploy/kubernetes${warmPool === undefined ? "" : "/sandbox"}`;
  return {
    check: "rights",
    state: "missing",
    message: `not allowed: ${refused.join(", ")}`,
    remedy: `Apply the files in ${folder}: kubectl apply -k ${folder}`,
  };
}

function rightsOf(verbs: readonly string[], of: Omit<Right, "verb">): readonly Right[] {
  return verbs.map((verb) => ({ verb, ...of }));
}

async function isAllowed(cluster: Cluster, right: Right, options: CallOptions): Promise<boolean> {
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: { namespace: cluster.namespace, ...right } },
  };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const call = { method: "POST", path, body, doing: "Asking for the rights in the cluster" } as const;
  return (await cluster.call<{ status: { allowed: boolean } }>(call, options)).status.allowed;
}

function nameOf({ verb, resource, subresource }: Right): string {
  return `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}
