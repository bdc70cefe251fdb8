import { describe } from "vitest";
import { onCluster, type TestNamespace } from "../../runtime-kubernetes/test/cluster-setup/cluster.js";
import { runtimeIn } from "../../runtime-kubernetes/test/kubernetes-subject.js";
import { hostileInputs } from "./hostile-inputs-of-containers.js";
import { hostileOutputs } from "./hostile-outputs-of-containers.js";

onCluster("a pod on runc", (namespace, namespaces) => {
  describe("hostile inputs", () => hostileInputs(() => runtimeIn(namespaces.take()), false));
  describe("hostile outputs", () => hostileOutputs({ make: (more) => runtimeIn(namespace(), more) }));
});

onCluster(
  "a claimed sandbox on gVisor",
  (namespace, namespaces) => {
    const taken: TestNamespace[] = [];
    const take = (): TestNamespace => {
      const another = namespaces.take();
      taken.push(another);
      return another;
    };
    describe("hostile inputs", () => hostileInputs(() => runtimeIn(take()), false));
    describe("hostile outputs", () =>
      hostileOutputs({
        make: ({ storageBytes } = {}) =>
          runtimeIn(storageBytes === undefined ? namespace() : ofSize(taken[1] ?? take(), storageBytes)),
        seesPipes: false,
      }));
  },
  { runtimeClassName: "gvisor" },
);

/** The size of workspaces is in the template of their pool. */
function ofSize(namespace: TestNamespace, bytes: number): TestNamespace {
  const { name, kubectl } = namespace;
  const patch = (kind: string, changes: readonly object[]) =>
    kubectl(["-n", name, "patch", kind, "skillwright", "--type=json", "-p", JSON.stringify(changes)]);
  patch("sandboxwarmpool", [{ op: "replace", path: "/spec/replicas", value: 0 }]);
  const path = "/spec/podTemplate/spec/volumes/2/emptyDir/sizeLimit";
  patch("sandboxtemplate", [{ op: "replace", path, value: `${bytes}` }]);
  kubectl(["-n", name, "wait", "sandbox,pods", "--all", "--for=delete", "--timeout=120s"]);
  return namespace;
}
