import { afterAll, describe, inject } from "vitest";
import { clusterNamespace, type WantedPool } from "../../../../scripts/cluster/cluster-namespace.mjs";
import { leaveOut } from "../../../../test/needs/has-all.js";
import type { KubernetesRuntimeOptions } from "../../src/index.js";

/** A namespace with what `deploy/kubernetes` holds. Tests have the rights of its service account. */
export interface TestNamespace {
  readonly name: string;
  /** Path of a kubeconfig with the token of the service account. */
  readonly kubeconfig: string;
  /** For the runtime. */
  readonly options: KubernetesRuntimeOptions;
  /** As the administrator; returns what it prints. */
  kubectl(args: readonly string[], input?: string): string;
  /** Removes it. */
  remove(): void;
}

/** Namespaces of a suite. One is used by one test at a time. */
export interface TestNamespaces {
  take(): TestNamespace;
  giveBack(namespace: TestNamespace): void;
}

/** Registers the suite where there is a cluster; the table at the end of the run names those left out. */
export function onCluster(
  name: string,
  suite: (namespace: () => TestNamespace, namespaces: TestNamespaces) => void,
  pool?: WantedPool,
): void {
  const cluster = inject("cluster");
  if ("reason" in cluster) {
    leaveOut("a Kubernetes cluster");
    return;
  }
  describe(name, () => {
    const made: TestNamespace[] = [];
    const free: TestNamespace[] = [];
    afterAll(() => {
      for (const { remove } of made) remove();
    });
    const make = () => {
      const namespace = clusterNamespace(cluster, { prefix: "skillwright-test", pool });
      made.push(namespace);
      return namespace;
    };
    const namespaces: TestNamespaces = {
      take: () => free.pop() ?? make(),
      giveBack: (namespace) => free.push(namespace),
    };
    suite(() => made[0] ?? make(), namespaces);
  });
}

/** Pods on runc, and claims of a warm pool on gVisor. */
export const BOTH_WAYS = {
  "a pod on runc": undefined,
  "a claimed sandbox on gVisor": { runtimeClassName: "gvisor" },
} as const satisfies Readonly<Record<string, WantedPool | undefined>>;

/** Registers the suite once for each way. */
export function onBothWays(suite: (namespace: () => TestNamespace) => void): void {
  for (const [name, pool] of Object.entries(BOTH_WAYS)) onCluster(name, suite, pool);
}

/** For tests that stop parts of the cluster. */
export function onOwnCluster(
  name: string,
  suite: (namespace: () => TestNamespace) => void,
  pool?: WantedPool,
): void {
  const cluster = inject("cluster");
  if ("reason" in cluster || cluster.isOwn) onCluster(name, suite, pool);
  else leaveOut("a Kubernetes cluster of the tests");
}
