import { run } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster, onOwnCluster } from "../cluster-setup/cluster.js";
import { namesOf } from "../failed-creation.js";
import { killWork } from "./cluster-parts.js";

onCluster("a workspace whose pod is evicted", (namespace) => {
  test("through the API has ended its run, is gone, and its id is free (KUBE-45)", async () => {
    const { name, kubectl, options } = namespace();
    await using runtime = kubernetesRuntime(options);
    const workspace = await runtime.create("w1");
    const handle = await workspace.start(command("echo begun; sleep 100"));
    for await (const _ of handle.output()) break;
    const pod = namesOf(namespace(), "pods").trim().replace("pod/", "");
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace: name } };
    kubectl(
      ["create", "--raw", `/api/v1/namespaces/${name}/pods/${pod}/eviction`, "-f", "-"],
      JSON.stringify(eviction),
    );
    const { exitCode, stdout, diagnostics } = await handle.result;
    expect([exitCode, stdout.text, diagnostics.at(-1)?.code]).toEqual([137, "begun\n", "pod.removed"]);
    await expect(workspace.list()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    await runtime.create("w1");
    expect(await runtime.destroy("w1")).toBe(true);
  });
});

onOwnCluster("a workspace whose commands the node has killed", (namespace) => {
  test("has ended its run, which is told when the cluster knows of it (KUBE-98)", async () => {
    const { name, kubectl, options } = namespace();
    await using runtime = kubernetesRuntime(options);
    const workspace = await runtime.create("w1");
    const handle = await workspace.start(command("echo begun; sleep 100"));
    for await (const _ of handle.output()) break;
    killWork(kubectl(["-n", name, "get", "pods", "-o", "jsonpath={.items[*].metadata.uid}"]));
    const { exitCode, treeEnded, stdout, diagnostics } = await handle.result;
    expect([exitCode, treeEnded, stdout.text, diagnostics.at(-1)?.code]).toEqual([
      137,
      true,
      "begun\n",
      "pod.removed",
    ]);
    await runtime.destroy("w1");
  });
});

onCluster(
  "a workspace whose template keeps files on the node's disk",
  (namespace) => {
    test("is evicted by the node, and run and workspace are told why and what to do (KUBE-46)", async () => {
      const { name, kubectl, options } = namespace();
      const onDisk = {
        op: "replace",
        path: "/spec/podTemplate/spec/volumes/3/emptyDir",
        value: { sizeLimit: "1Mi" },
      };
      kubectl([
        "-n",
        name,
        "patch",
        "sandboxtemplate",
        "skillwright",
        "--type=json",
        "-p",
        JSON.stringify([onDisk]),
      ]);
      await using runtime = kubernetesRuntime(options);
      const workspace = await runtime.create("w1");
      const { exitCode, diagnostics } = await run(
        workspace,
        command("head -c 5000000 /dev/zero > /tmp/large; sleep 180"),
      );
      expect([exitCode, diagnostics.at(-1)]).toEqual([
        137,
        expect.objectContaining({
          code: "pod.evicted",
          message: expect.stringMatching(/EmptyDir volume "tmp" exceeds the limit "1Mi"/),
          hint: expect.stringContaining("Raise the limit"),
        }),
      ]);
      expect(await runtime.attach("w1")).toBeUndefined();
      await runtime.create("w1");
      expect(await runtime.destroy("w1")).toBe(true);
    });
  },
  { replicas: 0 },
);

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 240_000, maxOutputBytes: 65_536 };
}
