import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type RuntimeWorkspace, readText } from "@skillwright/core";
import { type PausableWorkspace, run } from "@skillwright/core/adapter";
import { expect, onTestFinished, test } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster, onOwnCluster, type TestNamespace } from "../cluster-setup/cluster.js";
import { type Answer, apiRelay } from "../faults/api-relay.js";

onOwnCluster(
  "a workspace whose template has volumeClaimTemplates",
  (namespace) => {
    test.each([
      ["runc", undefined],
      ["gvisor", "gvisor"],
    ])(
      "has another pod and every file, record and note after a pause, in any process, on %s (KUBE-54)",
      async (_, runtimeClassName) => {
        const { options, kubeconfig } = keepingFiles(namespace(), runtimeClassName);
        const refusals: Answer[] = [];
        await using relay = await apiRelay(kubeconfig, ({ method, path }) =>
          method === "PATCH" && path.includes("/sandboxclaims/") ? refusals.shift() : undefined,
        );
        await using runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
        await using other = kubernetesRuntime(options);
        const workspace = pausable(await runtime.create("w1"));
        await workspace.stage({ name: "demo", digest: "sha256:1", files: skillFiles });
        await workspace.note?.("a", "b");
        await workspace.put([{ path: "work/a/b", content: "one" }]);
        await run(workspace, command("echo two > out/c; hostname > work/host"));
        // The controller has changed the claim since it was read.
        refusals.push({
          status: 409,
          answer: { reason: "Conflict", message: "The object has been modified" },
        });
        await workspace.pause();
        expect(refusals).toEqual([]);
        expect(podsOf(namespace())).toEqual([]);
        expect(await other.list()).toEqual(["w1"]);
        await expect(other.create("w1")).rejects.toMatchObject({ code: "CONFLICT" });
        await workspace.resume();
        for (const there of [workspace, pausable(await other.attach("w1"))]) {
          expect(await there.staged()).toEqual(new Map([["demo", "sha256:1"]]));
          expect(await there.notes?.()).toEqual(new Map([["a", "b"]]));
          const text = "cat work/a/b out/c skills/demo/SKILL.md";
          expect((await run(there, command(text))).stdout.text).toBe("onetwo\nskill\n");
          // Any use resumes it, also from another process.
          await there.pause();
          expect(await readText(await there.get("work/a/b"), 100)).toBe("one");
        }
        const third = pausable(await other.attach("w1"));
        await third.pause();
        expect(await runtime.destroy("w1")).toBe(true);
        expect(await runtime.list()).toEqual([]);
        await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
      },
    );
  },
  { replicas: 0 },
);

onCluster("a workspace whose files are its pod's own", (namespace) => {
  test("has no pause (KUBE-55)", async () => {
    await using runtime = kubernetesRuntime(namespace().options);
    const workspace = await runtime.create("w1");
    expect(["pause" in workspace, "resume" in workspace]).toEqual([false, false]);
    await runtime.destroy("w1");
  });
});

/** One for the workspace, the others for pods in which attaching processes measure the isolation. */
const VOLUMES = 4;

/** Changes the template so that the files lie in a volume of the cluster, and makes such volumes. */
function keepingFiles(namespace: TestNamespace, runtimeClassName: string | undefined): TestNamespace {
  const { name, kubectl } = namespace;
  const directory = mkdtempSync("/var/tmp/sw-volume-");
  const volumes = Array.from({ length: VOLUMES }, (_, n) => `${name}-${runtimeClassName ?? "runc"}-${n}`);
  onTestFinished(() => {
    kubectl(["delete", "persistentvolume", ...volumes, "--wait=false", "--ignore-not-found"]);
    rmSync(directory, { recursive: true, force: true });
  });
  const storage = "1Gi";
  const spec = { storageClassName: "", accessModes: ["ReadWriteOnce"] };
  const items = volumes.map((volume) => {
    const path = join(directory, volume);
    mkdirSync(path);
    // Open to any user, because fsGroup does not apply to hostPath volumes.
    chmodSync(path, 0o777);
    const kept = { capacity: { storage }, hostPath: { path }, persistentVolumeReclaimPolicy: "Retain" };
    return {
      ...{ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: volume } },
      spec: { ...spec, ...kept },
    };
  });
  kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const claims = [
    { metadata: { name: "workspace" }, spec: { ...spec, resources: { requests: { storage } } } },
  ];
  const changes = [
    { op: "add", path: "/spec/volumeClaimTemplates", value: claims },
    { op: "add", path: "/spec/podTemplate/spec/runtimeClassName", value: runtimeClassName },
  ].filter(({ value }) => value !== undefined);
  kubectl([
    ...["-n", name, "patch", "sandboxtemplate", "skillwright", "--type=json"],
    ...["-p", JSON.stringify(changes)],
  ]);
  return namespace;
}

async function* skillFiles() {
  yield { path: "SKILL.md", content: "skill\n" };
}

function pausable(workspace: RuntimeWorkspace | undefined): PausableWorkspace {
  if (!workspace || !("pause" in workspace)) throw new Error("It cannot be paused.");
  return workspace as PausableWorkspace;
}

function podsOf({ name, kubectl }: TestNamespace): readonly string[] {
  return kubectl(["-n", name, "get", "pods", "-o", "name"]).split("\n").filter(Boolean);
}

function command(text: string) {
  const runId = `run-${Math.random().toString(16).slice(2)}`;
  return { runId, command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
}
