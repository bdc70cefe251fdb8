import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays, type TestNamespace } from "../cluster-setup/cluster.js";
import { namesOf } from "../failed-creation.js";

/** Copies the pod of a workspace with all that is written on it, under another name, in place and when it has ended. */
async function copied(namespace: TestNamespace, ends: boolean): Promise<void> {
  const { name, kubectl } = namespace;
  const selector = ["-l", "skillwright.dev/workspace", "-o", "json"];
  const { items } = JSON.parse(kubectl(["-n", name, "get", "pods", ...selector]));
  const { metadata, spec } = items[0];
  const { labels, annotations } = metadata;
  const { nodeName, ...rest } = spec;
  const copy = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: `copy-${ends}`, labels, annotations } },
    spec: {
      ...rest,
      ...(ends && {
        containers: [{ ...spec.containers[0], command: ["/supervisor", "--version"], lifecycle: {} }],
      }),
    },
  };
  kubectl(["-n", name, "apply", "-f", "-"], JSON.stringify(copy));
  const wanted = ends ? "Succeeded" : "Running";
  const phase = () => kubectl(["-n", name, "get", "pod", `copy-${ends}`, "-o", "jsonpath={.status.phase}"]);
  await expect.poll(phase).toBe(wanted);
}

onBothWays((namespace) => {
  test("is found, listed and removed, and pods with copies of its labels and record are not (KUBE-63)", async () => {
    await using runtime = kubernetesRuntime(namespace().options);
    await runtime.create("w1");
    await copied(namespace(), false);
    await copied(namespace(), true);
    expect(await runtime.list()).toEqual(["w1"]);
    expect(await runtime.attach("w1")).toBeDefined();
    expect(await runtime.destroy("w1")).toBe(true);
    expect(await runtime.list()).toEqual([]);
    expect(await runtime.destroy("w1")).toBe(false);
    const left = namesOf(namespace(), "pods").split("\n");
    expect(left).toEqual(expect.arrayContaining(["pod/copy-false", "pod/copy-true"]));
  });
});
