import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { BOTH_WAYS, onOwnCluster, type TestNamespace } from "../cluster-setup/cluster.js";
import { killPart, startAllParts, untilItIs } from "./cluster-parts.js";

for (const [way, pool] of Object.entries(BOTH_WAYS)) onOwnCluster(way, kept, pool);

function kept(namespace: () => TestNamespace): void {
  test.each(["kubelet", "containerd"])(
    "a kept run whose %s is killed and started again goes on, and another process gets its output and outcome (KUBE-21)",
    async (part) => {
      // A call that waits for a part that was killed gives up.
      const options = { ...namespace().options, callTimeoutMs: 10_000 };
      await using runtime = kubernetesRuntime(options);
      await using other = kubernetesRuntime(options);
      const workspace = await runtime.create(part);
      const text = "echo begun; until [ -e work/go ]; do sleep 0.05; done; echo done; exit 6";
      const handle = await workspace.start({
        ...{ command: text, cwd: ".", env: {}, runId: "a", keep: true },
        ...{ timeoutMs: 240_000, maxOutputBytes: 65_536 },
      });
      for await (const _ of handle.output()) break;
      await killPart(part);
      await untilItIs(async () => {
        await startAllParts();
        const there = await other.attach(part);
        await there?.put([{ path: "work/go", content: "" }]);
        return there;
      });
      const there = await untilItIs(async () => await other.attach(part));
      const found = await untilItIs(async () => await there.runOf("a"));
      for (const { exitCode, stdout, treeEnded } of [await found.result, await handle.result])
        expect([exitCode, stdout.text, treeEnded]).toEqual([6, "begun\ndone\n", true]);
      expect(await runtime.destroy(part)).toBe(true);
    },
  );
}
