import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { leftOfWorkspaces } from "../../../../scripts/cluster/left-of-workspaces.mjs";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays, type TestNamespace } from "../cluster-setup/cluster.js";

const script = fileURLToPath(new URL("children/use-until-killed.mjs", import.meta.url));

onBothWays((namespace) => {
  test("a host that is killed while it stages leaves no part of the skill, and another host can stage it (KUBE-105)", async () => {
    await killedAt(namespace(), "stage");
    await withOther(namespace(), async (workspace) => {
      expect([...(await workspace.staged())]).toEqual([]);
      await workspace.stage({
        ...{ name: "demo", digest: "sha256:1" },
        files: async function* () {
          yield { path: "SKILL.md", content: "one" };
        },
      });
      expect([...(await workspace.staged())]).toEqual([["demo", "sha256:1"]]);
    });
  });

  test("a kept run goes on when its host is killed, and another host gets its outcome and all its output (KUBE-106)", async () => {
    await killedAt(namespace(), "run");
    await withOther(namespace(), async (workspace) => {
      const run = await workspace.runOf?.("kept");
      await workspace.put([{ path: "work/go", content: "" }]);
      const { exitCode, stdout, treeEnded } = (await run?.result) ?? {};
      expect([exitCode, stdout?.text, treeEnded]).toEqual([6, "begun\n", true]);
    });
  });

  test("a host that is killed while it reads an output leaves the whole file for another host (KUBE-107)", async () => {
    await killedAt(namespace(), "collect");
    await withOther(namespace(), async (workspace) => {
      let bytes = 0;
      for await (const piece of await workspace.get("out/large")) bytes += piece.byteLength;
      expect(bytes).toBe(20_000_000);
      expect((await (await workspace.runOf?.("kept"))?.result)?.exitCode).toBe(6);
    });
  });
});

async function killedAt({ options }: TestNamespace, point: "stage" | "run" | "collect"): Promise<void> {
  const host: ChildProcess = fork(script, [JSON.stringify(options), "used", point], { execArgv: [] });
  onTestFinished(() => void host.kill("SIGKILL"));
  const [at] = await Promise.race([once(host, "message"), once(host, "exit")]);
  expect(at).toBe("there");
  host.kill("SIGKILL");
}

/** Attaches to the workspace with another runtime, uses it, destroys it, and checks that nothing of it is left. */
async function withOther(
  namespace: TestNamespace,
  use: (workspace: RuntimeWorkspace) => Promise<void>,
): Promise<void> {
  await using other = kubernetesRuntime(namespace.options);
  const workspace = await other.attach("used");
  if (!workspace)
    throw new SkillError("WORKSPACE_NOT_FOUND", "The workspace of the killed host is not found.");
  await use(workspace);
  expect(await other.destroy("used")).toBe(true);
  await expect.poll(() => leftOfWorkspaces(namespace)).toEqual([]);
}
