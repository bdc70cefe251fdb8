import type { WorkspaceRuntime } from "@skillwright/core";
import { afterAll, inject } from "vitest";
import { clusterNamespace } from "../../../scripts/cluster/cluster-namespace.mjs";
import { leaveOut } from "../../../test/needs/has-all.js";
import { BOTH_WAYS, type TestNamespace } from "../../runtime-kubernetes/test/cluster-setup/cluster.js";
import { runtimeIn } from "../../runtime-kubernetes/test/kubernetes-subject.js";

type WayOnCluster = keyof typeof BOTH_WAYS;

const namespaces = new Map<string, TestNamespace>();

/** The ways to a pod; none, with a line in the table at the end of the run, where there is no cluster. */
export function waysOnCluster(): readonly WayOnCluster[] {
  if (!("reason" in inject("cluster"))) return Object.keys(BOTH_WAYS) as WayOnCluster[];
  leaveOut("a Kubernetes cluster");
  return [];
}

/** A runtime in the test file's namespace for that way. The namespaces are removed after the file. */
export function runtimeOnCluster(way: WayOnCluster): WorkspaceRuntime {
  const cluster = inject("cluster");
  if ("reason" in cluster) throw new Error(cluster.reason);
  const wish = { prefix: "skillwright-test", pool: BOTH_WAYS[way] };
  const namespace = namespaces.get(way) ?? clusterNamespace(cluster, wish);
  namespaces.set(way, namespace);
  return runtimeIn(namespace);
}

afterAll(() => {
  for (const { remove } of namespaces.values()) remove();
});
