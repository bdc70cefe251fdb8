import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { onCluster } from "./cluster-setup/cluster.js";

const FOLDER = fileURLToPath(new URL("../../../deploy/kubernetes/server", import.meta.url));
const POOL = fileURLToPath(new URL("../../../deploy/kubernetes/sandbox", import.meta.url));

/** The parts of an object that this test reads. */
interface Answered {
  readonly kind: string;
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly template?: Answered };
}

onCluster(
  "the settings of a warm pool",
  (namespace) => {
    it("that the kustomization proposes are accepted, and reach its template (KUBE-109)", () => {
      const { name, kubectl } = namespace();
      const written = readFileSync(join(POOL, "kustomization.yaml"), "utf8");
      const proposed = written.replaceAll(/^#( {2}- target| {4}patch| {6}- \{)/gm, "$1");
      expect(proposed.split("\n").filter((line) => /^ {6}- \{ op: /.test(line))).toHaveLength(5);
      const folder = mkdtempSync(join(tmpdir(), "sw-settings-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      cpSync(join(POOL, ".."), folder, { recursive: true });
      writeFileSync(join(folder, "sandbox/kustomization.yaml"), proposed);
      const manifest = kubectl(["kustomize", join(folder, "sandbox")]);
      const mine = manifest.replaceAll("namespace: skillwright", `namespace: ${name}`);
      const words = ["apply", "--dry-run=server", "-o", "json", "-f", "-", "-n", name];
      const kinds = mine.split(/^---$/m).filter((one) => /kind: SandboxTemplate/.test(one));
      const [template] = parsed(kubectl(words, kinds.join("---\n")));
      expect(template?.spec).toMatchObject({
        podTemplate: {
          spec: {
            ...{ runtimeClassName: "gvisor", imagePullSecrets: [{ name: "registry" }] },
            ...{ nodeSelector: { pool: "sandboxes" }, tolerations: [{ key: "sandboxes" }] },
            containers: [{}, {}, { resources: { limits: { cpu: "2", memory: "2Gi" } } }],
          },
        },
      });
    });
  },
  { replicas: 0 },
);

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
