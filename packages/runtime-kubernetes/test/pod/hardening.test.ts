import { run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays } from "../cluster-setup/cluster.js";

const REFUSED = [
  "mount -t tmpfs none /tmp",
  "mknod /tmp/device b 1 1",
  "chown 0:0 $HOME",
  "cat /proc/1/environ",
  "ls /proc/1/root/",
  "echo x > /proc/1/fd/1",
  "echo x > /etc/x",
  "echo x > /workspace/x",
  "echo x > /workspace/skills/x",
  "echo x > /skillwright/supervisor",
  "ls /records",
  "ls /var/run/secrets/kubernetes.io",
  "ls /var/run/docker.sock /run/containerd",
];

onBothWays((namespace) => {
  test("gives commands no privileges, and four places to write to (KUBE-62)", async () => {
    await using runtime = kubernetesRuntime(namespace().options);
    const workspace = await runtime.create("w1");
    const told = async (text: string) => (await run(workspace, command(text))).stdout.text;
    const status = await told("cat /proc/self/status");
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd"])
      expect(status).toMatch(new RegExp(`^${set}:\\s0+$`, "m"));
    expect(status).toMatch(/^NoNewPrivs:\s1$/m);
    expect(status).toMatch(/^Seccomp:\s2$/m);
    expect(status).toMatch(/^Uid:\s1000\s1000\s1000\s1000$/m);
    for (const refused of REFUSED)
      expect(await told(`( ${refused} ) >/dev/null 2>&1 && echo done || echo no`), refused).toBe("no\n");
    const writable =
      "for d in work out runs; do echo x > /workspace/$d/x && echo $d; done; echo x > /tmp/x && echo tmp";
    expect(await told(writable)).toBe("work\nout\nruns\ntmp\n");
    expect(await told("env | grep -c ^KUBERNETES_")).toBe("0\n");
    await runtime.destroy("w1");
  });

  test("asks the cluster for every restriction (KUBE-67)", async () => {
    const { name: place, kubectl, options } = namespace();
    await using runtime = kubernetesRuntime(options);
    await runtime.create("w1");
    const { items } = JSON.parse(
      kubectl(["-n", place, "get", "pods", "-l", "skillwright.dev/workspace", "-o", "json"]),
    );
    const { spec } = items[0];
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect([spec.hostNetwork, spec.hostPID, spec.hostIPC, spec.shareProcessNamespace]).toEqual(
      Array(4).fill(undefined),
    );
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext, resources } of spec.containers) {
      expect(securityContext).toMatchObject({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ["ALL"] },
      });
      expect(securityContext.privileged).toBeUndefined();
      expect(resources.limits.memory).toBeDefined();
    }
    const userOf = (wanted: string) =>
      spec.containers.find(({ name }: { name: string }) => name === wanted).securityContext.runAsUser ??
      spec.securityContext.runAsUser;
    expect(userOf("recorder")).not.toBe(userOf("work"));
    for (const { emptyDir } of spec.volumes) expect(emptyDir).toMatchObject({ medium: "Memory" });
    await runtime.destroy("w1");
  });
});

function command(text: string) {
  const runId = `run-${Math.random().toString(16).slice(2)}`;
  return { runId, command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
}
