import { expect, test } from "vitest";
import { checkCluster } from "../src/index.js";
import { onCluster } from "./cluster-setup/cluster.js";
import { apiRelay } from "./faults/api-relay.js";

onCluster("the check of a cluster", (_, namespaces) => {
  test("runs a command in a pod, says what is not isolated, and leaves nothing (KUBE-16)", async () => {
    const { name, kubectl, options } = namespaces.take();
    const found = await checkCluster({ ...options, runtimeClassName: "gvisor" });
    expect(found.map(({ check, state }) => [check, state])).toEqual([
      ["API server", "ok"],
      ["rights", "ok"],
      ["RuntimeClass", "ok"],
      ["workspace", "ok"],
      ["network", "limited"],
    ]);
    expect(found.at(-2)?.message).toMatch(/^a command ran in a pod of .*level gvisor$/);
    expect(found.at(-1)?.message).toContain("a pod with the policy reached the other one");
    expect(kubectl(["-n", name, "get", "pods", "-o", "name"])).toBe("");
  });

  test("names each right that is missing, and what to apply (KUBE-17)", async () => {
    const { name, kubectl, options } = namespaces.take();
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["create", "get", "list", "watch"] }];
    kubectl(["-n", name, "patch", "role", "skillwright", "--type=merge", "-p", JSON.stringify({ rules })]);
    const rights = (await checkCluster(options)).at(-1);
    expect(rights).toMatchObject({
      check: "rights",
      state: "missing",
      message: "not allowed: delete pods, patch pods, get pods/exec, create pods/exec",
      remedy: expect.stringContaining("kubectl apply -k deploy/kubernetes"),
    });
  });

  test("tells why no command runs: another class, another image (KUBE-18)", async () => {
    const { options } = namespaces.take();
    const noClass = (await checkCluster({ ...options, runtimeClassName: "no-such-class" })).at(-1);
    expect([noClass?.state, noClass?.message]).toEqual(["missing", expect.stringContaining("no-such-class")]);
    const noImage = (await checkCluster({ ...options, image: "docker.io/skills-test/none:1" })).at(-1);
    expect(noImage).toMatchObject({ check: "workspace", state: "missing" });
    expect(noImage?.message).toContain("docker.io/skills-test/none:1");
  });
});

onCluster(
  "the check of a cluster with a warm pool",
  (namespace) => {
    test("names the versions of SandboxClaim, and leaves no claim (KUBE-40)", async () => {
      const { name, kubectl, options } = namespace();
      const found = await checkCluster(options);
      expect(found.map(({ check, state }) => [check, state])).toEqual([
        ["API server", "ok"],
        ["rights", "ok"],
        ["agent-sandbox", "ok"],
        ["workspace", "ok"],
        ["network", "limited"],
      ]);
      expect(found[1]?.message).toContain("create sandboxclaims");
      expect(found[2]?.message).toContain("extensions.agents.x-k8s.io/v1beta1");
      expect(kubectl(["-n", name, "get", "sandboxclaims", "-o", "name"])).toBe("");
    });

    test("says what to install where the cluster has none (KUBE-41)", async () => {
      const { kubeconfig, options } = namespace();
      await using relay = await apiRelay(kubeconfig, ({ path }) =>
        path === "/apis/extensions.agents.x-k8s.io" ? { status: 404, answer: "none" } : undefined,
      );
      expect((await checkCluster({ ...options, kubeconfig: relay.kubeconfig })).at(-1)).toMatchObject({
        ...{ check: "agent-sandbox", state: "missing" },
        remedy: expect.stringContaining("Install agent-sandbox"),
      });
    });
  },
  { replicas: 0 },
);
