import { whyNoCluster } from "../scripts/cluster/start-cluster.mjs";
import { vitestStage } from "./vitest-stage.mjs";

/**
 * The suites of a project that needs the Kubernetes of this machine, or the gVisor that is built with it, the first time.
 * Where neither can be had, a line says so.
 *
 * @param {string} project
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function clusterStage(project) {
  const suites = vitestStage(["npm", "test", "--", `--project=${project}`]);
  return async (show) => {
    const reason = whyNoCluster();
    if (reason === undefined) return await suites(show);
    show(`The suites of ${project} are left out: ${reason}\n`);
    return { passed: 0, failures: [], note: `left out: ${reason}` };
  };
}
