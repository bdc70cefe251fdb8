import { readText } from "@skillwright/core";
import { type RunCommand, run, type StagedSkill } from "@skillwright/core/adapter";
import { expect, test } from "vitest";
import { kubernetesRuntime } from "../../src/index.js";
import { onBothWays, type TestNamespace } from "../cluster-setup/cluster.js";
import { apiRelay, type Meddle } from "./api-relay.js";

onBothWays((namespace) => {
  test("a broken connection does not fail a creation or a removal whose answers are lost, and nothing is made twice (KUBE-12)", async () => {
    const lost: string[] = [];
    await using own = await relayed(namespace(), ({ method, path }) => {
      if (method === "GET" || path.includes("/exec") || lost.includes(method)) return undefined;
      lost.push(method);
      return "lose";
    });
    const { runtime } = own;
    const workspace = await runtime.create("w1");
    await workspace.note?.("a", "b");
    expect(await workspace.notes?.()).toEqual(new Map([["a", "b"]]));
    expect(await runtime.list()).toEqual(["w1"]);
    await expect(runtime.create("w1")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await runtime.destroy("w1")).toBe(true);
    expect(lost).toEqual(["POST", "PATCH", "DELETE"]);
    expect(await runtime.list()).toEqual([]);
  });

  test("a broken connection does not fail a creation whose watch ends because its version is too old (KUBE-13)", async () => {
    let watches = 0;
    const gone = { status: 410, answer: { kind: "Status", reason: "Expired", message: "too old" } };
    await using own = await relayed(namespace(), ({ path }) =>
      path.includes("watch=true") && ++watches === 1 ? gone : undefined,
    );
    await own.runtime.create("w2");
    expect(watches).toBeGreaterThan(0);
    expect(await own.runtime.destroy("w2")).toBe(true);
  });

  test("a broken connection does not end a run that is kept, and loses no output of it (KUBE-14)", async () => {
    await using own = await relayed(namespace());
    const workspace = await own.runtime.create("w3");
    const text = "echo begun; until [ -e work/go ]; do sleep 0.01; done; echo done; exit 6";
    const handle = await workspace.start(command(text, { runId: "a", keep: true }));
    for await (const _ of handle.output()) break;
    own.cut();
    const again = () => workspace.put([{ path: "work/go", content: "" }]).catch((error: unknown) => error);
    await expect.poll(again).toBeUndefined();
    const { exitCode, stdout, treeEnded } = await handle.result;
    expect([exitCode, stdout.text, treeEnded]).toEqual([6, "begun\ndone\n", true]);
    await own.runtime.destroy("w3");
  });

  test("a broken connection leaves no half of a file, and the next upload works (KUBE-15)", async () => {
    await using own = await relayed(namespace());
    const workspace = await own.runtime.create("w4");
    async function* cutInTheMiddle() {
      yield new Uint8Array(1_000_000);
      own.cut();
      yield new Uint8Array(1_000_000);
    }
    const broken = workspace.put([{ path: "work/a", content: cutInTheMiddle() }]);
    await expect(broken).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect((await workspace.list("work")).map(({ path }) => path)).toEqual(["work/inputs"]);
    await workspace.put([{ path: "work/a", content: "whole" }]);
    expect(await readText(await workspace.get("work/a"), 100)).toBe("whole");
    const { stdout } = await run(workspace, command("cat work/a"));
    expect(stdout.text).toBe("whole");
    await own.runtime.destroy("w4");
  });

  test("a broken connection ends a download with an error, and leaves a staged skill as it was (KUBE-70)", async () => {
    await using own = await relayed(namespace());
    const workspace = await own.runtime.create("w5");
    const skill = (digest: string, cut: () => void): StagedSkill => ({
      ...{ name: "demo", digest },
      files: async function* () {
        yield { path: "SKILL.md", content: digest };
        cut();
        yield { path: "more", content: new Uint8Array(1_000_000) };
      },
    });
    await workspace.stage(skill("sha256:1", () => undefined));
    await run(workspace, command("head -c 20000000 /dev/zero > out/large"));
    let bytes = 0;
    const download = async () => {
      for await (const piece of await workspace.get("out/large")) {
        if (bytes === 0) own.cut();
        bytes += piece.byteLength;
      }
    };
    await expect(download()).rejects.toMatchObject({ code: "BACKEND_FAILED" });
    expect(bytes).toBeLessThan(20_000_000);
    await expect(workspace.stage(skill("sha256:2", own.cut))).rejects.toMatchObject({
      code: "BACKEND_FAILED",
    });
    const { stdout } = await run(workspace, command("cat skills/demo/SKILL.md; wc -c < skills/demo/more"));
    expect(stdout.text).toBe("sha256:11000000\n");
    expect(await workspace.staged()).toEqual(new Map([["demo", "sha256:1"]]));
    await workspace.stage(skill("sha256:2", () => undefined));
    expect(await workspace.staged()).toEqual(new Map([["demo", "sha256:2"]]));
    await own.runtime.destroy("w5");
  });
});

async function relayed({ options, kubeconfig }: TestNamespace, meddle: Meddle = () => undefined) {
  const relay = await apiRelay(kubeconfig, meddle);
  const runtime = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
  return {
    runtime,
    cut: relay.cut,
    [Symbol.asyncDispose]: async () => {
      await runtime.close();
      await relay[Symbol.asyncDispose]();
    },
  };
}

function command(text: string, more: Partial<RunCommand> = {}): RunCommand {
  return {
    runId: "one",
    command: text,
    cwd: ".",
    env: {},
    timeoutMs: 60_000,
    maxOutputBytes: 65_536,
    ...more,
  };
}
