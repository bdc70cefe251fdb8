import { readText } from "@skillwright/core";
import { afterEach, expect, test, vi } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onCluster } from "../cluster-setup/cluster.js";
import { failedCreation, namesOf } from "../failed-creation.js";

onCluster("a workspace that cannot be created", (namespace) => {
  test("names an image that is missing (KUBE-03)", async () => {
    const error = await failedCreation(namespace(), { image: "docker.io/skills-test/none:1" });
    expect(error.message).toMatch(
      /container work is not started: (?:ErrImageNeverPull|ImagePullBackOff).*docker.io\/skills-test\/none:1.*Check the name of the image/s,
    );
    expect(namesOf(namespace(), "pods")).toBe("");
  });

  test("names an image that cannot be pulled (KUBE-104)", async () => {
    const image = "localhost:1/skills-test/none:1";
    const error = await failedCreation(namespace(), { image, imagePullPolicy: "IfNotPresent" });
    expect(error.message).toMatch(
      /container work is not started: (?:ErrImagePull|ImagePullBackOff).*localhost:1\/skills-test\/none:1.*Check the name of the image/s,
    );
    expect(namesOf(namespace(), "pods")).toBe("");
  });

  test("tells why no node takes its pod (KUBE-04)", async () => {
    const error = await failedCreation(namespace(), {
      nodeSelector: { nowhere: "yes" },
      startTimeoutMs: 3000,
    });
    expect(error.message).toMatch(/no node of the cluster takes its pod: .*selector.*change nodeSelector/s);
    expect(namesOf(namespace(), "pods")).toBe("");
  });

  test("names the quota that is used up (KUBE-05)", async () => {
    const error = await failedCreation(namespace(), { requests: { cpu: "51" }, limits: { cpu: "60" } });
    expect(error.code).toBe("LIMIT_EXCEEDED");
    expect(error.message).toMatch(/exceeded quota: skillwright.*raise the quota/s);
  });

  test("tells which rule of the namespace refuses its pod (KUBE-50)", async () => {
    const { name, kubectl } = namespace();
    const range = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "small" } };
    const spec = { limits: [{ type: "Container", max: { memory: "512Mi" } }] };
    kubectl(["-n", name, "apply", "-f", "-"], JSON.stringify({ ...range, spec }));
    const error = await failedCreation(namespace(), {});
    kubectl(["-n", name, "delete", "limitrange", "small"]);
    expect(error.message).toMatch(
      /admission refused it: .*maximum memory usage per Container is 512Mi.*or the options of the runtime/s,
    );
  });

  test("names the verb and the resource that its service account may not use (KUBE-06)", async () => {
    const { name, kubectl } = namespace();
    kubectl(["-n", name, "delete", "role", "skillwright"]);
    const error = await failedCreation(namespace(), {});
    expect(error.message).toMatch(
      /answered 403 to POST .*\/pods: .*cannot create resource "pods".*deploy\/kubernetes/s,
    );
  });
});

onCluster("a workspace whose pod was deleted by hand", (namespace) => {
  test("is not found, its run has ended, and its id is free (KUBE-07)", async () => {
    const { name, kubectl, options } = namespace();
    await using runtime = kubernetesRuntime(options);
    const workspace = await runtime.create("w1");
    const handle = await workspace.start(command("echo begun; sleep 100"));
    for await (const _ of handle.output()) break;
    kubectl(["-n", name, "delete", "pods", "--all", "--force", "--grace-period=0"]);
    const { exitCode, stdout, diagnostics } = await handle.result;
    expect([exitCode, stdout.text, diagnostics.at(-1)?.code]).toEqual([137, "begun\n", "pod.removed"]);
    await expect(workspace.list()).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
    expect(await runtime.attach("w1")).toBeUndefined();
    await runtime.create("w1");
    expect(await runtime.destroy("w1")).toBe(true);
    expect(await runtime.list()).toEqual([]);
  });
});

onCluster("a host whose clock is an hour wrong", (namespace) => {
  afterEach(() => void vi.useRealTimers());

  test.each([-1, 1])(
    "creates, runs, finds, reads and removes workspaces as any other: %i h (KUBE-51)",
    async (hours) => {
      const { options } = namespace();
      await using runtime = kubernetesRuntime(options);
      await using other = kubernetesRuntime(options);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
      const workspace = await runtime.create("w1");
      const handle = await workspace.start({
        ...command("echo one | tee out/a; exit 3"),
        runId: "a",
        keep: true,
      });
      expect(await handle.result).toMatchObject({ exitCode: 3, timedOut: false, stdout: { text: "one\n" } });
      vi.useRealTimers();
      const there = await other.attach("w1");
      expect(await (await there?.runOf("a"))?.result).toMatchObject({ exitCode: 3 });
      expect(there && (await readText(await there.get("out/a"), 100))).toBe("one\n");
      expect(await other.list()).toEqual(["w1"]);
      expect(await other.destroy("w1")).toBe(true);
    },
  );
});

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 120_000, maxOutputBytes: 65_536 };
}
