import { expect, test } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { kubernetesRuntime } from "../../src/index.js";
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
        const before = podsOf(namespace()).length;
        creations.push({ id, created: settled(runtime.create(id)) });
        await expect.poll(() => podsOf(namespace()).length).toBeGreaterThan(before);
      }
      creations.push({ id: "w4", created: settled(runtime.create("w4")) });
      await restarted();
      for (const { id, created } of creations) {
        expectUseful(await created);
        const there = await untilItIs(async () => (await other.attach(id)) ?? (await other.create(id)));
        expect(await printed(there, "echo works")).toBe("works\n");
      }
      expect(podsOf(namespace())).toHaveLength(creations.length);
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
      const removals: { id: string; removed: Promise<unknown> }[] = [];
      // The server is killed before it carries out the last call of the first one.
      for (const [before, id] of ids.entries()) {
        removals.push({ id, removed: settled(runtime.destroy(id)) });
        await expect.poll(() => isKilled || calls > before, { interval: 1 }).toBe(true);
      }
      await expect.poll(() => isKilled, { interval: 1 }).toBe(true);
      await restarted();
      for (const { id, removed } of removals) {
        expectUseful(await removed);
        if ((await removed) === true) expect(await other.attach(id)).toBeUndefined();
      }
    });
  },
);

function podsOf(namespace: TestNamespace): readonly string[] {
  return leftOfWorkspaces(namespace).filter((each) => each.startsWith("Pod "));
}
