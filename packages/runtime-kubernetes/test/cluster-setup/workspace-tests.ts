import type { WorkspaceRuntime } from "@skillwright/core";
import { afterAll, inject } from "vitest";
import { clusterNamespace } from "../../../../scripts/cluster/cluster-namespace.mjs";
import { testElsewhere } from "../../../workspace/test/workspace-fixture.js";
import { runtimeIn } from "../kubernetes-subject.js";
import { BOTH_WAYS, type TestNamespace } from "./cluster.js";

/** Lets tests of workspaces run in pods, on both ways to a pod. Each test file has a namespace for each way. */
const namespaces = new Map<string, TestNamespace>();
const cluster = inject("cluster");

function runtime(way: keyof typeof BOTH_WAYS): WorkspaceRuntime {
  if ("reason" in cluster) throw new Error(cluster.reason);
  const wish = { prefix: "skillwright-test", pool: BOTH_WAYS[way] };
  const namespace = namespaces.get(way) ?? clusterNamespace(cluster, wish);
  namespaces.set(way, namespace);
  return runtimeIn(namespace);
}

testElsewhere({
  ways: "reason" in cluster ? [] : (Object.keys(BOTH_WAYS) as (keyof typeof BOTH_WAYS)[]),
  runtime,
});
afterAll(() => {
  for (const { remove } of namespaces.values()) remove();
});
