import { expect, test } from "vitest";
import { PROBE_PREFIX } from "../../src/capabilities/measuring-once.js";
import { kubernetesRuntime } from "../../src/index.js";
import type { Pod } from "../../src/pod/pod.js";
import { ANNOTATIONS } from "../../src/pod/pod-names.js";
import type { TestNamespace } from "../cluster-setup/cluster.js";
import { apiRelay } from "./api-relay.js";
import { killPart, untilItIs } from "./cluster-parts.js";
import { expectUseful, onRestarts, optionsIn, printed, restarted, settled } from "./restarting-server.js";

onRestarts(
  "creations and removals while the API server is killed and started again",
  "a claimed sandbox on gVisor",
  (namespace) => {
    test("a creation succeeds or says what to do, and no id has two pods (KUBE-47)", async () => {
      await using runtime = kubernetesRuntime(optionsIn(namespace()));
      await using other = kubernetesRuntime(optionsIn(namespace()));
      const creations: { id: string; created: Promise<unknown> }[] = [];
      // When the server is killed, each is further than the next one.
      for (const id of ["w1", "w2", "w3"]) {
        creations.push({ id, created: settled(runtime.create(id)) });
        await expect.poll(() => idsOf(namespace(), "sandboxclaims,pods")).toContain(id);
      }
      creations.push({ id: "w4", created: settled(runtime.create("w4")) });
      await restarted();
      for (const { id, created } of creations) {
        expectUseful(await created);
        const there = await untilItIs(async () => (await other.attach(id)) ?? (await other.create(id)));
        expect(await printed(there, "echo works")).toBe("works\n");
      }
      await expect.poll(() => idsOf(namespace(), "pods")).toEqual(["w1", "w2", "w3", "w4"]);
    });

    test("a removal succeeds or says what to do, and can be done again (KUBE-49)", async () => {
      let isKilled = false;
      let calls = 0;
      await using relay = await apiRelay(namespace().kubeconfig, ({ method }) => {
        calls += 1;
        if (method === "DELETE" && !isKilled) {
          isKilled = true;
          void killPart("apiserver");
        }
        return undefined;
      });
      await using runtime = kubernetesRuntime({ ...optionsIn(namespace()), kubeconfig: relay.kubeconfig });
      await using other = kubernetesRuntime(optionsIn(namespace()));
      const ids = ["w1", "w2", "w3"];
      await Promise.all(ids.map((id) => runtime.create(id)));
      calls = 0;
      const ended: unknown[] = [];
      const removals: { id: string; removed: Promise<unknown> }[] = [];
      // The server is killed before it carries out the last call of the first one.
      for (const [before, id] of ids.entries()) {
        const removed = settled(runtime.destroy(id));
        removals.push({ id, removed });
        void removed.then((outcome) => ended.push(outcome));
        await expect.poll(() => isKilled || calls > before, { interval: 1 }).toBe(true);
      }
      await expect.poll(() => isKilled || ended.length === ids.length, { interval: 1 }).toBe(true);
      // If no removal has sent its last call, this prints the result of each removal.
      expect(isKilled || ended).toBe(true);
      await restarted();
      for (const { id, removed } of removals) {
        expectUseful(await removed);
        if ((await removed) === true) expect(await other.attach(id)).toBeUndefined();
      }
    });
  },
);

/** The workspace id of each object, sorted. Workspaces that exist only to measure are left out. */
function idsOf({ name, kubectl }: TestNamespace, kinds: string): readonly string[] {
  const { items } = JSON.parse(kubectl(["-n", name, "get", kinds, "-o", "json"]));
  return items
    .map(({ metadata }: Pod) => metadata.annotations?.[ANNOTATIONS.id])
    .filter((id?: string) => id !== undefined && !id.startsWith(PROBE_PREFIX))
    .sort();
}
