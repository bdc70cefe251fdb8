import type { CallOptions } from "@skillwright/core";
import type { Cluster } from "../cluster/cluster.js";
import { CLAIMS } from "../ways/claim.js";
import type { ClusterFinding } from "./check-cluster.js";

const check = "agent-sandbox";
const [GROUP] = CLAIMS.split("/") as [string];

/** Which versions of SandboxClaim the cluster serves. */
export async function claimsFinding(cluster: Cluster, options: CallOptions): Promise<ClusterFinding> {
  const call = { path: `/apis/${GROUP}`, doing: "Asking for the versions of SandboxClaim" };
  const found = await cluster.find<{ versions: readonly { groupVersion: string }[] }>(call, options);
  const versions = found?.versions.map(({ groupVersion }) => groupVersion) ?? [];
  if (versions.includes(CLAIMS)) return { check, state: "ok", message: versions.join(", ") };
  return {
    check,
    state: "missing",
    message: found
      ? `the cluster serves ${versions.join(", ")}, and not ${CLAIMS}`
      : `the cluster has no ${GROUP}`,
    remedy: `Install agent-sandbox with its extensions in a version that serves ${CLAIMS}, or leave out warmPool.`,
  };
}
