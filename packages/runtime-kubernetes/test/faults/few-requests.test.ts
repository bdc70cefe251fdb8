import { randomBytes } from "node:crypto";
import { run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays } from "../cluster-setup/cluster.js";
import { apiRelay } from "./api-relay.js";

onBothWays((namespace) => {
  test("attaching takes one read of the pod, and one of its claim where there is one; all runs of a process share one exec (KUBE-108)", async () => {
    const { options, kubeconfig } = namespace();
    await using creator = kubernetesRuntime(options);
    await creator.create("w1");
    const calls: string[] = [];
    const opened: string[] = [];
    await using relay = await apiRelay(
      kubeconfig,
      ({ method, path }) => void calls.push(`${method} ${/\/(pods|sandboxclaims)\b/.exec(path)?.[1]}`),
      (path) => void opened.push(path),
    );
    await using other = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
    const workspace = await other.attach("w1");
    expect(calls).toEqual("warmPool" in options ? ["GET sandboxclaims", "GET pods"] : ["GET pods"]);
    for (let step = 0; step < 6; step++) {
      const command = { runId: randomBytes(6).toString("hex"), command: "true", cwd: ".", env: {} };
      const ended =
        workspace && (await run(workspace, { ...command, timeoutMs: 60_000, maxOutputBytes: 1000 }));
      expect(ended?.exitCode).toBe(0);
    }
    expect(opened.length).toBe(1);
    expect(await creator.destroy("w1")).toBe(true);
  });
});
