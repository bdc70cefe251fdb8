import type { TestProject } from "vitest/node";
import { type StartedCluster, startCluster } from "../../../../scripts/cluster/start-cluster.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** What the tests need of the cluster, or why there is none. */
    cluster: Omit<StartedCluster, "stop"> | { readonly reason: string };
  }
}

/** The cluster of a whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await startCluster();
  if ("reason" in started) {
    console.log(`Suites on Kubernetes are left out: ${started.reason}`);
    project.provide("cluster", started);
    return async () => undefined;
  }
  const { stop, ...cluster } = started;
  project.provide("cluster", cluster);
  return stop;
}
