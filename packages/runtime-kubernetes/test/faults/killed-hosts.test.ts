import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster, type TestNamespace } from "../cluster-setup/cluster.js";
import { namesOf } from "../failed-creation.js";
import { apiRelay } from "./api-relay.js";

const HOUR_MS = 3_600_000;

/** A call of a host that creates and removes a workspace; the host is killed before or after the server has carried it out. */
interface Point {
  readonly call: RegExp;
  /** Which of the calls of this kind; the first by default. */
  readonly nth?: number;
  readonly when: "before" | "after";
}

const bothSides = (call: RegExp, nth = 1): readonly Point[] => [
  { call, nth, when: "before" },
  { call, nth, when: "after" },
];

onCluster("hosts that are killed while they create and remove pods", (namespace) => {
  test("leave nothing that the next sweep of another process does not remove (KUBE-52)", async () => {
    await allKilled(namespace(), [
      ...bothSides(/^POST .*\/pods$/),
      ...bothSides(/^PATCH .*\/pods\//),
      ...bothSides(/^DELETE .*\/pods\//),
    ]);
    await swept(namespace());
    await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
  });
});

onCluster("a host that was killed while it measured", (namespace) => {
  test("leaves no pod that later sweeps do not remove (KUBE-71)", async () => {
    await using killed = kubernetesRuntime(namespace().options);
    await killed.create("__skillwright_probe_1");
    expect(await killed.list()).toEqual([]);
    expect(namesOf(namespace(), "pods")).not.toBe("");
    await using other = kubernetesRuntime(namespace().options);
    expect(await other.list()).toEqual([]);
    expect(namesOf(namespace(), "pods")).not.toBe("");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS });
    expect(await other.list()).toEqual([]);
    vi.useRealTimers();
    await expect.poll(() => namesOf(namespace(), "pods")).toBe("");
  });
});

onCluster(
  "hosts that are killed while they claim and give back sandboxes",
  (namespace) => {
    test("leave nothing that the next sweep, or the cluster at the claim's end, does not remove (KUBE-53)", async () => {
      await allKilled(namespace(), [
        ...bothSides(/^POST .*\/sandboxclaims$/),
        ...bothSides(/^PATCH .*\/pods\//),
        ...bothSides(/^PATCH .*\/sandboxclaims\//),
        ...bothSides(/^PATCH .*\/pods\//, 2),
        ...bothSides(/^DELETE .*\/sandboxclaims\//),
      ]);
      await swept(namespace());
      endUnrecorded(namespace());
      await expect.poll(() => leftOfWorkspaces(namespace())).toEqual([]);
    });

    test("are followed at once by one that alone creates the workspace (KUBE-100)", async () => {
      const point = { call: /^POST .*\/sandboxclaims$/, when: "after" } as const;
      await killedAt(namespace(), point, "claimed");
      await using next = kubernetesRuntime(namespace().options);
      await expect(next.create("claimed")).rejects.toMatchObject({ code: "CONFLICT" });
      const workspace = await next.create("claimed", { replaceUnfinished: true });
      expect(workspace.id).toBe("claimed");
      await expect(next.create("claimed", { replaceUnfinished: true })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      expect(await next.destroy("claimed")).toBe(true);
    });
  },
  { replicas: 2 },
);

async function allKilled(namespace: TestNamespace, points: readonly Point[]): Promise<void> {
  await Promise.all(points.map((point, index) => killedAt(namespace, point, `w${index}`)));
}

async function killedAt({ options, kubeconfig }: TestNamespace, point: Point, id: string): Promise<void> {
  let seen = 0;
  let isOver = false;
  const kill = () => {
    isOver = true;
    child.kill("SIGKILL");
    return { status: 500, answer: {} };
  };
  await using relay = await apiRelay(kubeconfig, ({ method, path }) => {
    if (isOver) return kill();
    if (!point.call.test(`${method} ${path}`) || ++seen < (point.nth ?? 1)) return undefined;
    if (point.when === "before") return kill();
    // The server carries the call out, and its answer is lost. The host is killed at its next call.
    isOver = true;
    return "lose";
  });
  const given = JSON.stringify({ ...options, kubeconfig: relay.kubeconfig });
  const child = spawn(process.execPath, [script, given, id], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code, signal] = await once(child, "exit");
  expect([code, signal], `${point.call} ${point.when}`).toEqual([null, "SIGKILL"]);
}

const script = fileURLToPath(new URL("children/create-and-destroy.mjs", import.meta.url));

async function swept({ options }: TestNamespace): Promise<void> {
  await using other = kubernetesRuntime(options);
  for (const id of await other.list()) await other.destroy(id);
}

const MOST_MS = 2 * 120_000;

/**
 * Claims that have no recorded pod. A sweep leaves them for twice the time of a start, because their creator may be alive; the
 * test does not wait that long.
 */
function endUnrecorded({ name, kubectl }: TestNamespace): void {
  const { items } = JSON.parse(kubectl(["-n", name, "get", "sandboxclaims", "-o", "json"]));
  expect(items.length).toBeGreaterThan(0);
  for (const { metadata, spec } of items) {
    if (metadata.deletionTimestamp !== undefined) continue;
    expect(metadata.annotations["skillwright.dev/pod"]).toBeUndefined();
    expect(Date.parse(spec.lifecycle.shutdownTime) - Date.now()).toBeLessThanOrEqual(MOST_MS);
    const patch = JSON.stringify({ spec: { lifecycle: { shutdownTime: new Date().toISOString() } } });
    kubectl(["-n", name, "patch", "sandboxclaim", metadata.name, "--type=merge", "-p", patch]);
  }
}
