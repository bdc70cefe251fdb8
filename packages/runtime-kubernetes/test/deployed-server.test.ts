import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { onCluster } from "./cluster-setup/cluster.js";

const FOLDER = fileURLToPath(new URL("../../../deploy/kubernetes/server", import.meta.url));

/** The parts of an object that this test reads. */
interface Answered {
  readonly kind: string;
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly template?: Answered };
}

onCluster("the deployment of a server", (namespace) => {
  it("is accepted by the API server, and a pod of it by Pod Security and the quota (KUBE-60)", () => {
    const { name, kubectl } = namespace();
    const manifest = kubectl(["kustomize", FOLDER]).replaceAll(
      "namespace: skillwright",
      `namespace: ${name}`,
    );
    const send = (text: string) => {
      const words = ["-n", name, "create", "--dry-run=server", "-o", "json", "-f", "-"];
      return parsed(kubectl(words, text));
    };
    const answered = send(manifest);
    expect(answered.map(({ kind }) => kind).sort()).toEqual(["Deployment", "PodDisruptionBudget", "Service"]);

    const { metadata, spec } = answered.find(({ kind }) => kind === "Deployment")?.spec.template ?? {};
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, name: "server" }, spec };
    expect(send(JSON.stringify(pod))).toMatchObject([
      {
        kind: "Pod",
        metadata: { labels: { "skillwright.dev/network": "open" } },
        spec: {
          serviceAccountName: "skillwright",
          containers: [{ livenessProbe: { httpGet: { path: "/v1/health" } }, readinessProbe: {} }],
        },
      },
    ]);
    const privileged = { ...pod, spec: { ...spec, hostNetwork: true } };
    expect(() => send(JSON.stringify(privileged))).toThrow(/violates PodSecurity/);
  });
});

/** Of several objects kubectl prints one after the other. */
function parsed(text: string): readonly Answered[] {
  const all = JSON.parse(`[${text.trim().replaceAll(/^\}\n\{/gm, "},{")}]`) as readonly (Answered & {
    readonly items?: readonly Answered[];
  })[];
  return all.flatMap((one) => one.items ?? [one]);
}
