export { type ClusterFinding, checkCluster } from "./check/check-cluster.js";
export { kubernetesRuntime } from "./kubernetes-runtime.js";
export type { KubernetesRuntimeOptions, PodResources } from "./kubernetes-runtime-options.js";
