import { execFileSync } from "node:child_process";
import type { WorkspaceRuntime } from "@skillwright/core";
import { run } from "@skillwright/core/adapter";
import { afterEach, expect, inject, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onOwnCluster, type TestNamespace } from "../cluster-setup/cluster.js";
import { namesOf } from "../failed-creation.js";
import { policyEngine } from "./policy-engine.js";

onOwnCluster("the network of workspaces without one", (namespace) => {
  afterEach(() => network("open"));

  test("is not off where pods are reached in spite of the policy, and a command that needs it off is refused (KUBE-36)", async () => {
    await using runtime = measuring(namespace());
    const { networkOff, diagnostics } = await runtime.capabilities();
    expect([networkOff, messageOf(diagnostics)]).toEqual([
      false,
      expect.stringContaining("not enforced, since a pod with the policy reached the other one"),
    ]);
    await expectRefusal(runtime);
    expect(namesOf(namespace(), "pods")).toBe("");
  });

  test("counts as not off where no pod reaches another one, with or without the policy (KUBE-37)", async () => {
    network("closed");
    await using runtime = measuring(namespace());
    const { networkOff, diagnostics } = await runtime.capabilities();
    expect([networkOff, messageOf(diagnostics)]).toEqual([
      false,
      expect.stringContaining("perhaps not enforced, since a pod without the policy did not reach"),
    ]);
    await expectRefusal(runtime);
  });

  test("is off where the cluster enforces the policy, and only in those workspaces (KUBE-38)", async () => {
    await using _engine = policyEngine(namespace());
    await using runtime = measuring(namespace());
    const { networkOff, diagnostics } = await runtime.capabilities();
    expect([networkOff, messageOf(diagnostics)]).toEqual([
      true,
      expect.stringContaining("off by a NetworkPolicy"),
    ]);
    const workspace = await runtime.create("w1");
    expect((await run(workspace, { ...command, network: false })).exitCode).toBe(0);
    await expect(run(workspace, { ...command, network: true })).rejects.toMatchObject({
      code: "UNSUPPORTED",
    });
    const online = await runtime.create("w2", { network: true });
    expect((await run(online, { ...command, network: true })).exitCode).toBe(0);
    await expect(run(online, { ...command, network: false })).rejects.toMatchObject({ code: "UNSUPPORTED" });
    for (const id of ["w1", "w2"]) await runtime.destroy(id);
    expect(namesOf(namespace(), "pods")).toBe("");
  });

  test("is off where pods have no interface, which starts no other pods (KUBE-39)", async () => {
    await using runtime = measuring(namespace(), "gvisor-offline");
    const workspace = await runtime.create("w1");
    expect(namesOf(namespace(), "pods").trim().split("\n")).toHaveLength(1);
    expect((await runtime.capabilities()).networkOff).toBe(true);
    expect((await run(workspace, { ...command, network: false })).exitCode).toBe(0);
    await runtime.destroy("w1");
  });
});

const command = {
  ...{ runId: "one", command: "true", cwd: ".", env: {} },
  ...{ timeoutMs: 60_000, maxOutputBytes: 65_536 },
};

function measuring({ options }: TestNamespace, runtimeClassName?: string): WorkspaceRuntime {
  return kubernetesRuntime({
    ...options,
    measureNetwork: true,
    ...(runtimeClassName !== undefined && { runtimeClassName }),
  });
}

async function expectRefusal(runtime: WorkspaceRuntime): Promise<void> {
  const workspace = await runtime.create("refused");
  await expect(run(workspace, { ...command, network: false })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await runtime.destroy("refused");
}

function messageOf(diagnostics: readonly { code: string; message: string }[] = []): string | undefined {
  return diagnostics.find(({ code }) => code.startsWith("network."))?.message;
}

function network(state: "open" | "closed"): void {
  const cluster = inject("cluster");
  if ("reason" in cluster || !cluster.script || !cluster.directory) throw new Error("It is not our cluster.");
  execFileSync(cluster.script, [cluster.directory, "network", state]);
}
