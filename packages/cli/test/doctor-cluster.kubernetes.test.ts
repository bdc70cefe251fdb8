import { expect, test } from "vitest";
import { onCluster } from "../../runtime-kubernetes/test/cluster-setup/cluster.js";
import { cliFixture } from "./cli-fixture.js";

onCluster("doctor --runtime kubernetes", (_, namespaces) => {
  test("checks the configured cluster with a command, and the exit code tells what is missing (KUBE-19)", async () => {
    const { options, name, kubectl } = namespaces.take();
    const { image, ...cluster } = options;
    const configured = (more: object) =>
      JSON.stringify({ agent: { sandbox: { kind: "kubernetes", image, cluster: { ...cluster, ...more } } } });
    const { cli, write } = await cliFixture({ "home/.skillwright/skillwright.config.json": configured({}) });
    const ready = await cli(["doctor", "--runtime", "kubernetes"]);
    expect(ready.out).toMatch(
      /✔ API server +Kubernetes v1.*✔ rights .*✔ workspace +a command ran in a pod of .*! network /s,
    );
    expect(ready.code).toBe(0);
    await write({
      "home/.skillwright/skillwright.config.json": configured({ runtimeClassName: "no-such-class" }),
    });
    const missing = await cli(["doctor", "--runtime", "kubernetes"]);
    expect(missing.out).toMatch(/✘ workspace .*no-such-class/);
    expect(missing.code).toBe(1);
    expect(kubectl(["-n", name, "get", "pods", "-o", "name"])).toBe("");
  });

  test("says what to configure (KUBE-20)", async () => {
    const { cli } = await cliFixture();
    const { code, out } = await cli(["doctor", "--runtime", "kubernetes"]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/✘ cluster +The Kubernetes runtime needs .*warmPool.*agent.sandbox.cluster/s),
    ]);
  });
});
