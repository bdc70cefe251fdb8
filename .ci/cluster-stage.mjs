import { whyNoCluster } from "../scripts/cluster/start-cluster.mjs";

/**
 * Suites that need a Kubernetes, or the gVisor that is built with that of this machine. Where none can be had they are left out,
 * and a line says so.
 *
 * @param {import("./gate.mjs").Stage["run"]} suites
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function clusterStage(suites) {
  return async (show) => {
    const reason = whyNoCluster();
    if (reason === undefined) return await suites(show);
    show(`The suites are left out: ${reason}\n`);
    return { passed: 0, failures: [], note: `left out: ${reason}` };
  };
}
