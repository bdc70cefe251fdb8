import { clusterNamespace } from "../../scripts/cluster/cluster-namespace.mjs";

/**
 * A namespace to measure in.
 *
 * @param {import("../../scripts/cluster/start-cluster.mjs").StartedCluster} cluster
 * @param {{ pool?: number, runtimeClassName?: string }} wish `pool` is the number of warm pods; without it pods are made
 */
export function place(cluster, { pool, runtimeClassName }) {
  const made = clusterNamespace(cluster, {
    prefix: "skillwright-bench",
    pool: pool === undefined ? undefined : { replicas: pool, runtimeClassName },
  });
  return {
    ...made,
    adminConfig: cluster.adminConfig,
    image: cluster.image,
    runtimeClassName,
    warm: pool,
    options: { ...made.options, ...(pool === undefined && { runtimeClassName }) },
  };
}
