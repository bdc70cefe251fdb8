import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster } from "../cluster-setup/cluster.js";
import { apiRelay, type RelayedCall } from "./api-relay.js";

onCluster("a call that the API server refuses", (namespace) => {
  test("is sent again where a change of the quota was in its way, and where there were too many (KUBE-08)", async () => {
    const { options, kubeconfig } = namespace();
    const refusals = [conflict, conflict, tooMany];
    await using relay = await apiRelay(kubeconfig, (call) =>
      isCreation(call) ? refusals.shift() : undefined,
    );
    await using runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
    await runtime.create("w1");
    expect(refusals).toEqual([]);
    expect(await runtime.destroy("w1")).toBe(true);
  });

  test("is sent again where a server that just started knows no rights and no paths yet (KUBE-92)", async () => {
    const { options, kubeconfig } = namespace();
    let isStarting = false;
    const refused = new Map<string, number>();
    const refusal = (what: string) => {
      const times = refused.get(what) ?? 0;
      if (isStarting) refused.set(what, times + 1);
      return isStarting ? notReady[times] : undefined;
    };
    await using relay = await apiRelay(
      kubeconfig,
      ({ method, path }) => refusal(path.includes("watch=true") ? "watch" : method),
      () => refusal("exec"),
    );
    await using runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
    const use = async (id: string) => {
      const workspace = await runtime.create(id);
      await workspace.note?.("a", "b");
      await workspace.put([{ path: "work/a", content: "one" }]);
      expect(await runtime.destroy(id)).toBe(true);
    };
    await use("w1");
    isStarting = true;
    await use("w2");
    for (const what of ["POST", "GET", "watch", "exec", "PATCH", "DELETE"])
      expect(refused.get(what), what).toBeGreaterThan(notReady.length);
  });

  test("fails with the server's words after a number of tries (KUBE-09)", async () => {
    const { options, kubeconfig } = namespace();
    let tries = 0;
    await using relay = await apiRelay(kubeconfig, (call) => {
      if (!isCreation(call)) return undefined;
      tries += 1;
      return conflict;
    });
    await using runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
    await expect(runtime.create("w1")).rejects.toMatchObject({
      code: "BACKEND_FAILED",
      message: expect.stringContaining("Operation cannot be fulfilled on resourcequotas"),
    });
    expect(tries).toBe(9);
  });
});

onCluster("a workspace that two processes use", (namespace) => {
  test("is removed by one of them also where the API server reports success to both (KUBE-10)", async () => {
    const { options, kubeconfig } = namespace();
    let deletions = 0;
    await using relay = await apiRelay(kubeconfig, ({ method }) =>
      method === "DELETE" && ++deletions > 1 ? { status: 200, answer: {} } : undefined,
    );
    await using runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
    await runtime.create("w1");
    const removed = await Promise.all(["w1", "w1", "w1"].map((id) => runtime.destroy(id)));
    expect(removed.sort()).toEqual([false, false, true]);
  });

  test("is not found by one that still has an earlier workspace of its id (KUBE-11)", async () => {
    const { options } = namespace();
    await using runtime = kubernetesRuntime(options);
    await using other = kubernetesRuntime(options);
    const earlier = await runtime.create("w1");
    await other.destroy("w1");
    const later = await other.create("w1");
    await expect(earlier.note?.("a", "b")).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect(await later.notes?.()).toEqual(new Map());
    await other.destroy("w1");
  });
});

function isCreation({ method, path }: RelayedCall): boolean {
  return method === "POST" && path.endsWith("/pods");
}

const conflict = {
  status: 409,
  answer: {
    kind: "Status",
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on resourcequotas "skillwright": the object has been modified; please apply your changes to the latest version and try again',
  },
};

/** What a server of 1.34 answers in its first moments. */
const notReady = [
  {
    status: 403,
    answer: {
      kind: "Status",
      reason: "Forbidden",
      message:
        'pods is forbidden: User "system:serviceaccount:a:b" cannot get resource "pods" in API group ""',
    },
  },
  {
    status: 503,
    answer: {
      kind: "Status",
      reason: "ServiceUnavailable",
      message: "the request has been made before all known HTTP paths have been installed, please try again",
    },
  },
  {
    status: 403,
    answer: {
      kind: "Status",
      reason: "Forbidden",
      message: 'pods "a" is forbidden: not yet ready to handle request',
    },
  },
  {
    status: 403,
    answer: {
      kind: "Status",
      reason: "Forbidden",
      message:
        'pods "a" is forbidden: error looking up service account n/default: serviceaccount "default" not found',
    },
  },
];

const tooMany = { status: 429, answer: { kind: "Status", reason: "TooManyRequests", message: "Try later." } };
