import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster } from "../cluster-setup/cluster.js";
import { namesOf } from "../failed-creation.js";

const FINALIZER = "skills.example/held";

onCluster("a workspace whose pod a finalizer keeps after its deletion", (namespace) => {
  test("counts as gone, its run has ended, and its id is refused with the finalizer's name (KUBE-44)", async () => {
    const { name, kubectl, options } = namespace();
    const mark = (finalizers: readonly string[]) => {
      const pod = namesOf(namespace(), "pods").trim();
      kubectl([
        ...["-n", name, "patch", pod, "--type=merge", "-p"],
        JSON.stringify({ metadata: { finalizers } }),
      ]);
    };
    await using runtime = kubernetesRuntime(options);
    await using other = kubernetesRuntime(options);
    const workspace = await runtime.create("w1");
    mark([FINALIZER]);
    const handle = await workspace.start(command("echo begun; sleep 100"));
    for await (const _ of handle.output()) break;
    expect(await other.destroy("w1")).toBe(true);
    const { exitCode, diagnostics } = await handle.result;
    expect([exitCode, diagnostics.at(-1)?.code]).toEqual([137, "pod.removed"]);
    expect(namesOf(namespace(), "pods")).toMatch(/^pod\/skillwright-\w+\n$/);
    await expect(workspace.list()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect([await other.attach("w1"), await other.list(), await other.destroy("w1")]).toEqual([
      undefined,
      [],
      false,
    ]);
    await expect(other.create("w1")).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(
        /earlier pod skillwright-\w+ was deleted.*skills\.example\/held.*kubectl/,
      ),
    });
    mark([]);
    await expect.poll(() => namesOf(namespace(), "pods")).toBe("");
    await other.create("w1");
    expect(await other.destroy("w1")).toBe(true);
  });
});

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 120_000, maxOutputBytes: 65_536 };
}
