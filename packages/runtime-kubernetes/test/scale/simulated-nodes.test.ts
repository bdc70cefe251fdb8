import { execFileSync } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, inject, it, onTestFinished } from "vitest";
import { connectCluster } from "../../src/cluster/cluster.js";
import { kubernetesRuntime } from "../../src/index.js";
import { kubernetesWish } from "../../src/kubernetes-runtime-options.js";
import { LABELS, podName, shortHash } from "../../src/pod/pod-names.js";
import { workspacePods } from "../../src/pod/workspace-pods.js";
import { onOwnCluster } from "../cluster-setup/cluster.js";
import { apiRelay } from "../faults/api-relay.js";

/** How many workspaces; docs/scale.md has the figures of 2,000. */
const COUNT = Number(process.env["SKILLWRIGHT_SCALE"]);
const AT_ONCE = 20;
const PAGE = 500;
/** On a busy machine some ten workspaces a second are created. */
const LONGEST_MS = 3_600_000;

onOwnCluster("many workspaces on simulated nodes", (namespace) => {
  it(
    "are each found in one read, and swept in pages of one list, by a host of constant memory (KUBE-61)",
    async () => {
      const { name, kubectl, kubeconfig, options } = namespace();
      simulateNodes(kubectl);
      const quota = { spec: { hard: { pods: "20000", "requests.cpu": "5000", "requests.memory": "10Ti" } } };
      kubectl([
        "-n",
        name,
        "patch",
        "resourcequota",
        "skillwright",
        "--type=merge",
        "-p",
        JSON.stringify(quota),
      ]);
      const wish = { ...options, nodeSelector: { type: "kwok" }, tolerations: [{ operator: "Exists" }] };
      const ids = Array.from({ length: COUNT }, (_, index) => `workspace-${index}`);

      const cluster = await connectCluster(wish, 30_000);
      onTestFinished(() => cluster.close());
      const pods = workspacePods(cluster, kubernetesWish(wish));
      // Nothing runs in simulated pods, so that nothing answers.
      const made = { network: false, answers: async () => undefined };
      const creating = await timed(() => inTurns(ids, async (id) => void (await pods.create(id, made, {}))));

      const calls: string[] = [];
      await using relay = await apiRelay(
        kubeconfig,
        ({ method, path }) => void calls.push(`${method} ${path}`),
      );
      await using runtime = kubernetesRuntime({ ...wish, kubeconfig: relay.kubeconfig });
      const before = heapBytes();
      const sweeping = await timed(async () => {
        expect((await runtime.list()).length).toBe(COUNT);
      });
      expect(calls.length).toBe(Math.ceil(COUNT / PAGE));
      expect(calls.every((call) => call.startsWith(`GET /api/v1/namespaces/${name}/pods?`))).toBe(true);
      const sweptHeap = heapBytes() - before;

      calls.length = 0;
      const attached = ids.slice(0, 200);
      const attaching = await timed(async () => {
        for (const id of attached) expect((await runtime.attach(id))?.id).toBe(id);
      });
      const reads = attached.map((id) => `GET /api/v1/namespaces/${name}/pods/${podName(id, undefined)}`);
      expect(calls).toEqual(reads);
      const attachedHeap = heapBytes() - before;

      const label = `${LABELS.workspace}=${shortHash("workspace-7")}`;
      const path = `/api/v1/namespaces/${name}/pods?labelSelector=${encodeURIComponent(label)}`;
      const selecting = await timed(() =>
        inTurns(attached, () => cluster.call({ path, doing: "Selecting" }), 1),
      );
      const each = (seconds: number, of: number) => `${((seconds * 1000) / of).toFixed(2)} ms each`;
      console.log(
        [
          `${COUNT} workspaces: created and scheduled ${(COUNT / creating).toFixed(0)} a second, ${AT_ONCE} at once`,
          `swept in ${sweeping.toFixed(2)} s, ${Math.ceil(COUNT / PAGE)} pages, heap ${inMiB(sweptHeap)} more afterwards`,
          `attached: ${each(attaching, attached.length)}, heap ${inMiB(attachedHeap)} more for ${attached.length}`,
          `selected by label instead: ${each(selecting, attached.length)}`,
          `host: ${inMiB(process.memoryUsage.rss())} in all`,
        ].join("\n"),
      );
    },
    LONGEST_MS,
  );
});

function simulateNodes(kubectl: (args: readonly string[]) => string): void {
  const cluster = inject("cluster");
  if ("reason" in cluster || !cluster.script || !cluster.directory) throw new Error("no cluster of our own");
  execFileSync(cluster.script, [cluster.directory, "nodes", "20"]);
  onTestFinished(() => void kubectl(["delete", "nodes", "-l", "type=kwok"]));
}

async function inTurns(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  lanes = AT_ONCE,
): Promise<void> {
  const left = ids.values();
  const lane = async () => {
    for (const id of left) await work(id);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** In seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function inMiB(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
