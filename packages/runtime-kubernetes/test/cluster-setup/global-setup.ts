import type { TestProject } from "vitest/node";
import { type StartedCluster, startCluster } from "../../../../scripts/cluster/start-cluster.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** What the tests need of the cluster, or why there is none. */
    cluster: Omit<StartedCluster, "stop"> | { readonly reason: string };
  }
}

/** Vitest loads this module once for each project of a run, and a machine has room for one cluster. */
const ofRun = globalThis as { cluster?: ReturnType<typeof startCluster>; projects?: number };

/** The cluster of a whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  ofRun.projects = (ofRun.projects ?? 0) + 1;
  ofRun.cluster ??= startCluster();
  const started = await ofRun.cluster;
  if ("reason" in started) {
    console.log(`Suites on Kubernetes are left out: ${started.reason}`);
    project.provide("cluster", started);
    return async () => undefined;
  }
  const { stop, ...cluster } = started;
  project.provide("cluster", cluster);
  return async () => {
    ofRun.projects = (ofRun.projects ?? 0) - 1;
    if (ofRun.projects === 0) await stop();
  };
}
