import { run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays } from "../cluster-setup/cluster.js";

onBothWays((namespace) => {
  test("a command that fills /tmp fails, its result has a diagnostic, and the next command can use /tmp (KUBE-110)", async () => {
    await using runtime = kubernetesRuntime(namespace().options);
    const workspace = await runtime.create("w1");
    const { exitCode, diagnostics } = await run(
      workspace,
      command("dd if=/dev/zero of=/tmp/x bs=1M count=80"),
    );
    expect([exitCode === 0, diagnostics.map(({ code }) => code)]).toEqual([
      false,
      expect.arrayContaining(["limit.tmp-reached"]),
    ]);
    expect((await run(workspace, command("rm /tmp/x; echo x > /tmp/y && echo done"))).stdout.text).toBe(
      "done\n",
    );
    await runtime.destroy("w1");
  });
});

function command(text: string) {
  const runId = `run-${Math.random().toString(16).slice(2)}`;
  return { runId, command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
}
