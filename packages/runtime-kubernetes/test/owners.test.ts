import { expect, test } from "vitest";
import { kubernetesRuntime } from "../src/index.js";
import { onBothWays } from "./cluster-setup/cluster.js";
import { runtimeIn } from "./kubernetes-subject.js";

onBothWays((namespace) => {
  test("KUBE-99: runtimes with different owners never see or remove each other's workspaces in one namespace", async () => {
    const owners = [undefined, "data-a", "data-b"];
    const [none, a, b] = owners.map((owner) => runtimeIn(namespace(), { owner }));
    await none?.create("w");
    await a?.create("w");
    expect([await none?.list(), await a?.list(), await b?.list()]).toEqual([["w"], ["w"], []]);
    expect([await b?.attach("w"), await b?.destroy("w")]).toEqual([undefined, false]);
    expect(await a?.destroy("w")).toBe(true);
    expect([await none?.list(), await a?.list()]).toEqual([["w"], []]);
    expect(await none?.destroy("w")).toBe(true);
    for (const runtime of [none, a, b]) await runtime?.close();
  });
});

test.each(["", "-a", "a_", "a/b", "x".repeat(64)])(
  "the owner %j is refused before a cluster is asked",
  (owner) => {
    const options = { image: "a", supervisorImage: "b", owner };
    expect(() => kubernetesRuntime(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  },
);
