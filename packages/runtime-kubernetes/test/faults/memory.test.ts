import { type RunCommand, run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster } from "../cluster-setup/cluster.js";

/** It keeps all that it reads. */
const GROWS = "exec tail -c 900000000 /dev/zero";

onCluster("a command that needs more memory than its container may have", (namespace) => {
  const limits = { memory: "100Mi" };

  test.each([{}, { runId: "grows", keep: true }])(
    "loses a process on runc, is told the limit, and the workspace lives %o (KUBE-42)",
    async (more) => {
      await using runtime = kubernetesRuntime({ ...namespace().options, limits });
      const workspace = await runtime.create("w1");
      await workspace.put([{ path: "work/a", content: "kept" }]);
      const { exitCode, diagnostics } = await run(workspace, command(GROWS, more));
      expect([exitCode, diagnostics.map(({ code }) => code)]).toEqual([
        137,
        expect.arrayContaining(["limit.memoryBytes-reached"]),
      ]);
      const { stdout, diagnostics: later } = await run(workspace, command("cat work/a"));
      expect(stdout.text).toBe("kept");
      expect(later.map(({ code }) => code)).not.toContain("limit.memoryBytes-reached");
      await runtime.destroy("w1");
    },
  );

  test.each([{}, { runId: "grows", keep: true }])(
    "loses its pod on gVisor, and run and workspace are told container, limit and remedy %o (KUBE-43)",
    async (more) => {
      await using runtime = kubernetesRuntime({
        ...namespace().options,
        limits,
        runtimeClassName: "gvisor",
        storageBytes: 1024 * 1024,
      });
      const workspace = await runtime.create("w2");
      const { exitCode, diagnostics } = await run(workspace, command(GROWS, more));
      expect([exitCode, diagnostics.at(-1)]).toEqual([137, expect.objectContaining(outOfMemory)]);
      await expect(workspace.list()).rejects.toMatchObject({
        code: "WORKSPACE_NOT_FOUND",
        message: expect.stringMatching(/no workspace w2.*more memory than .*limits\.memory/),
      });
      expect(await runtime.list()).toEqual([]);
    },
  );
});

const outOfMemory = {
  code: "pod.out-of-memory",
  message: expect.stringMatching(/more memory than .*limits?.* \(.*\d/),
  hint: expect.stringContaining("raise limits.memory"),
};

function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  const limits = { timeoutMs: 120_000, maxOutputBytes: 65_536 };
  return { runId: "one", command: text, cwd: ".", env: {}, ...limits, ...more };
}
