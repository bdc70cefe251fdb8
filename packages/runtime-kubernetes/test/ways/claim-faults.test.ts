import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { kubernetesWish } from "../../src/kubernetes-runtime-options.js";
import { podName } from "../../src/pod/pod-names.js";
import { onCluster, onOwnCluster } from "../cluster-setup/cluster.js";
import { failedCreation, namesOf } from "../failed-creation.js";
import { apiRelay } from "../faults/api-relay.js";

onCluster(
  "a sandbox that cannot be claimed",
  (namespace) => {
    test("names the pool that is missing (KUBE-27)", async () => {
      const error = await failedCreation(namespace(), { warmPool: "nowhere" });
      expect(error.message).toMatch(/has no SandboxWarmPool nowhere\. Create it/);
      expect(namesOf(namespace(), "sandboxclaims")).toBe("");
    });

    test("names the template that is missing (KUBE-28)", async () => {
      const { name, kubectl } = namespace();
      const spec = { replicas: 0, sandboxTemplateRef: { name: "nowhere" } };
      const pool = { apiVersion: "extensions.agents.x-k8s.io/v1beta1", kind: "SandboxWarmPool", spec };
      kubectl(["-n", name, "apply", "-f", "-"], JSON.stringify({ ...pool, metadata: { name: "half" } }));
      const error = await failedCreation(namespace(), { warmPool: "half" });
      expect(error.message).toMatch(/SandboxWarmPool half names a SandboxTemplate that is not there/);
      expect(namesOf(namespace(), "sandboxclaims")).toBe("");
    });

    test("says what to install where the cluster does not know claims (KUBE-29)", async () => {
      const { kubeconfig } = namespace();
      const unknown = { status: 404, answer: "404 page not found" };
      await using relay = await apiRelay(kubeconfig, ({ path }) =>
        path.startsWith("/apis/extensions.agents.x-k8s.io/") ? unknown : undefined,
      );
      const error = await failedCreation(namespace(), { kubeconfig: relay.kubeconfig });
      expect(error.message).toMatch(/no SandboxClaim .*v1beta1.*Install agent-sandbox/);
    });

    test("names the Sandbox of an earlier claim that blocks the new claim, and the remedy (KUBE-102)", async () => {
      const { name, kubectl, options } = namespace();
      const template = kubectl(["-n", name, "get", "sandboxtemplate", "skillwright", "-o", "json"]);
      const { podTemplate } = JSON.parse(template).spec;
      const { owner } = kubernetesWish(options);
      const metadata = { name: podName("w1", owner) };
      const earlier = {
        apiVersion: "agents.x-k8s.io/v1beta1",
        kind: "Sandbox",
        metadata,
        spec: { podTemplate },
      };
      kubectl(["-n", name, "apply", "-f", "-"], JSON.stringify(earlier));
      const error = await failedCreation(namespace(), { startTimeoutMs: 4000 });
      expect(error.message).toContain(
        `the Sandbox ${metadata.name} of an earlier SandboxClaim was still there`,
      );
      expect(error.message).toMatch(
        /Try again, and check that kube-controller-manager runs, or delete that Sandbox\.$/,
      );
      expect(namesOf(namespace(), "sandboxclaims")).toBe("");
      kubectl(["-n", name, "delete", "sandbox", metadata.name]);
    });

    test("is told by the option that belongs to the template (KUBE-30)", () => {
      const { options } = namespace();
      for (const more of [{ image: "a" }, { user: { uid: 5, gid: 5 } }, { runtimeClassName: "gvisor" }])
        expect(() => kubernetesRuntime({ ...options, ...more })).toThrow(
          new RegExp(`option ${Object.keys(more)} .*SandboxTemplate`),
        );
      expect(() => kubernetesRuntime({ ...options, warmPool: undefined })).toThrow(
        /needs the options image and/,
      );
    });
  },
  { replicas: 0, runtimeClassName: "gvisor" },
);

onOwnCluster(
  "a claim whose controller stands still",
  (namespace) => {
    test("is given up after startTimeoutMs, and removed (KUBE-31)", async () => {
      const cluster = inject("cluster");
      const directory = "directory" in cluster ? (cluster.directory ?? "") : "";
      const controller = Number(readFileSync(join(directory, "agent-sandbox.pid"), "utf8"));
      process.kill(controller, "SIGSTOP");
      try {
        const error = await failedCreation(namespace(), { startTimeoutMs: 2000 });
        expect(error.message).toMatch(/got no sandbox within 2000 ms.*controller of agent-sandbox/);
        expect(namesOf(namespace(), "sandboxclaims")).toBe("");
      } finally {
        process.kill(controller, "SIGCONT");
      }
    });
  },
  { replicas: 0, runtimeClassName: "gvisor" },
);
