import { run } from "@skillwright/core/adapter";
import { afterEach, expect, test, vi } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { kubernetesRuntime } from "../../src/index.js";
import { kubernetesWish } from "../../src/kubernetes-runtime-options.js";
import { podSpec } from "../../src/pod/pod-manifest.js";
import { onCluster, type TestNamespace } from "../cluster-setup/cluster.js";

const HOUR_MS = 60 * 60 * 1000;

onCluster(
  "a workspace of a warm pool",
  (namespace) => {
    afterEach(() => void vi.useRealTimers());

    test("is found by its claim from another process, and nothing of it is left when it is destroyed (KUBE-22)", async () => {
      const { options } = namespace();
      await using runtime = kubernetesRuntime(options);
      await using other = kubernetesRuntime(options);
      const workspace = await runtime.create("w1");
      await workspace.put([{ path: "work/a", content: "one" }]);
      const there = await other.attach("w1");
      if (!there) throw new Error("It is not found.");
      expect((await run(there, command("cat work/a"))).stdout.text).toBe("one");
      expect(await other.list()).toEqual(["w1"]);
      await expect(other.create("w1")).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await other.destroy("w1")).toBe(true);
      expect(await runtime.attach("w1")).toBeUndefined();
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
    });

    test("whose pod was deleted by hand is not found, its run has ended, and its id is free (KUBE-23)", async () => {
      const { name, kubectl, options } = namespace();
      await using runtime = kubernetesRuntime(options);
      const workspace = await runtime.create("w2");
      const handle = await workspace.start(command("echo begun; sleep 100"));
      for await (const _ of handle.output()) break;
      kubectl(["-n", name, "delete", "pods", "-l", "skillwright.dev/workspace", "--force"]);
      const { exitCode, stdout, diagnostics } = await handle.result;
      expect([exitCode, stdout.text, diagnostics.at(-1)?.code]).toEqual([137, "begun\n", "pod.removed"]);
      await expect(workspace.list()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
      expect(await runtime.attach("w2")).toBeUndefined();
      expect(await runtime.list()).toEqual([]);
      await runtime.create("w2");
      expect(await runtime.destroy("w2")).toBe(true);
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
    });

    test("is kept for 24 hours after a use, and longer than the time limit of a run (KUBE-24)", async () => {
      const { options } = namespace();
      await using runtime = kubernetesRuntime(options);
      await using other = kubernetesRuntime(options);
      await runtime.create("w3");
      expect(Math.round(hoursLeft(namespace()))).toBe(24);
      shutDownAt(namespace(), new Date(Date.now() + 11 * HOUR_MS));
      const workspace = await other.attach("w3");
      await workspace?.put([{ path: "work/a", content: "" }]);
      expect(Math.round(hoursLeft(namespace()))).toBe(24);
      await workspace?.put([{ path: "work/a", content: "" }]);
      const handle = await workspace?.start({ ...command("true"), timeoutMs: 100 * HOUR_MS });
      expect(Math.round(hoursLeft(namespace()))).toBe(124);
      await handle?.result;
      shutDownAt(namespace(), new Date());
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
      expect(await other.attach("w3")).toBeUndefined();
    });

    test("is kept as long where the clock of the host is an hour wrong (KUBE-25)", async () => {
      const { options } = namespace();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - HOUR_MS });
      await using runtime = kubernetesRuntime({ ...options, keepMs: HOUR_MS / 2 });
      const workspace = await runtime.create("w4");
      await workspace.put([{ path: "work/a", content: "" }]);
      vi.useRealTimers();
      const hours = hoursLeft(namespace());
      expect(hours > 0.3 && hours <= 0.5, `${hours}`).toBe(true);
      expect(await runtime.destroy("w4")).toBe(true);
    });

    test("has the same pod as one without a pool (KUBE-26)", () => {
      const { name, kubectl } = namespace();
      const template = kubectl(["-n", name, "get", "sandboxtemplate", "skillwright", "-o", "json"]);
      const images = {
        image: "docker.io/skills-test/base:1",
        supervisorImage: "docker.io/skills-test/supervisor:1",
      };
      const { imagePullPolicy } = JSON.parse(template).spec.podTemplate.spec.containers[0];
      const wish = kubernetesWish({ ...images, imagePullPolicy, runtimeClassName: "gvisor" });
      expect(JSON.parse(template).spec.podTemplate.spec).toEqual(JSON.parse(JSON.stringify(podSpec(wish))));
    });
  },
  { runtimeClassName: "gvisor" },
);

function hoursLeft({ name, kubectl }: TestNamespace): number {
  const path = "jsonpath={.items[0].spec.lifecycle.shutdownTime}";
  return (Date.parse(kubectl(["-n", name, "get", "sandboxclaims", "-o", path])) - Date.now()) / HOUR_MS;
}

function shutDownAt({ name, kubectl }: TestNamespace, time: Date): void {
  const claim = kubectl(["-n", name, "get", "sandboxclaims", "-o", "name"]).trim();
  const patch = JSON.stringify({ spec: { lifecycle: { shutdownTime: time.toISOString() } } });
  kubectl(["-n", name, "patch", claim, "--type=merge", "-p", patch]);
}

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
}
