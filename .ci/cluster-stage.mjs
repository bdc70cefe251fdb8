import { whyNoCluster } from "../scripts/cluster/start-cluster.mjs";

/**
 * Wraps a stage of tests that need Kubernetes, or the gVisor that is built with the cluster of this machine. Where there is no
 * cluster, the stage runs no tests and prints the reason.
 *
 * @param {import("./gate.mjs").Stage} stage
 * @returns {import("./gate.mjs").Stage}
 */
export function clusterStage({ run, ...stage }) {
  return {
    ...stage,
    run: async (show) => {
      const reason = whyNoCluster();
      if (reason === undefined) return await run(show);
      show(`The suites are left out: ${reason}\n`);
      return { passed: 0, failures: [], note: `left out: ${reason}` };
    },
  };
}
