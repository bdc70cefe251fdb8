import { run } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { measuredOn, measuredRecord } from "../../src/capabilities/measured-record.js";
import { kubernetesRuntime } from "../../src/index.js";
import type { Pod } from "../../src/pod/pod.js";
import { ANNOTATIONS } from "../../src/pod/pod-names.js";
import { onBothWays, onCluster } from "../cluster-setup/cluster.js";
import { apiRelay } from "../faults/api-relay.js";

onBothWays((namespace) => {
  test("a process that attaches runs a command as the creator does, and measures nothing itself (KUBE-95)", async () => {
    const { options, kubeconfig } = namespace();
    await using creator = kubernetesRuntime(options);
    const calls: string[] = [];
    await using relay = await apiRelay(kubeconfig, ({ method }) => void calls.push(method));
    // A process measures in its first workspace. Its second workspace gets the record when it is created.
    for (const id of ["measured-1", "measured-2"]) {
      const own = await creator.create(id);
      await using other = kubernetesRuntime({ ...options, kubeconfig: relay.kubeconfig });
      const there = await other.attach(id);
      if (!there) throw new Error("It is not found.");
      calls.length = 0;
      const { isolation, diagnostics, stdout } = await run(there, command("echo there"));
      expect([stdout.text, calls.filter((method) => method !== "GET")]).toEqual(["there\n", []]);
      const owns = await run(own, command("true"));
      expect({ isolation, diagnostics }).toEqual({
        isolation: owns.isolation,
        diagnostics: owns.diagnostics,
      });
      expect(await creator.destroy(id)).toBe(true);
    }
  });
});

onCluster("pods of two RuntimeClasses", (namespace) => {
  test("a run has the isolation and the network of its pod, whatever the process that attaches has measured in its own pods (KUBE-103)", async () => {
    const { options } = namespace();
    await using open = kubernetesRuntime(options);
    await using offline = kubernetesRuntime({ ...options, runtimeClassName: "gvisor-offline" });
    const ids = ["in-open", "in-offline"] as const;
    await open.create(ids[0]);
    await offline.create(ids[1]);
    for (const runtime of [open, offline]) {
      const [inOpen, inOffline] = await Promise.all(ids.map((id) => runtime.attach(id)));
      if (!inOpen || !inOffline) throw new Error("A workspace is not found.");
      const refused = run(inOpen, { ...command("true"), network: false });
      await expect(refused).rejects.toMatchObject({ code: "UNSUPPORTED" });
      const levelIn = async (workspace: typeof inOpen) =>
        (await run(workspace, command("true"))).isolation.level;
      expect([await levelIn(inOpen), await levelIn(inOffline)]).toEqual(["container", "gvisor"]);
      const { exitCode } = await run(inOffline, { ...command("true"), network: false });
      expect(exitCode).toBe(0);
    }
    for (const id of ids) expect(await open.destroy(id)).toBe(true);
  });
});

describe("what was measured for a pod", () => {
  const capabilities = {
    isolation: { level: "container", by: "Kubernetes" },
    limits: [],
    networkOff: false,
    endsTree: true,
    readOnlySkills: true,
    diagnostics: [
      { code: "shell.no-bash", severity: "warning", message: "no bash", hint: "" },
      { code: "network.not-off", severity: "warning", message: "open", hint: "" },
    ],
  } as const;

  test("is read as it was recorded", () => {
    const { isolation, networkOff, diagnostics } = capabilities;
    const found = measuredOn(podWith(measuredRecord(capabilities)));
    expect(found).toEqual({ isolation, networkOff, diagnostics: [diagnostics[0]] });
  });

  test.each([
    ["none", {}],
    ["text that is no record", { [ANNOTATIONS.measured]: "gvisor" }],
    ["a later version", changed({ version: 2 })],
    ["another isolation", changed({ isolation: { level: "none", by: "" } })],
    ["no word about the network", changed({ networkOff: undefined })],
  ])("is unknown with %s", (_, annotations) => {
    expect(measuredOn(podWith(annotations))).toBeUndefined();
  });

  function changed(fields: object) {
    const text = measuredRecord(capabilities)[ANNOTATIONS.measured] ?? "";
    return { [ANNOTATIONS.measured]: JSON.stringify({ ...JSON.parse(text), ...fields }) };
  }
});

function podWith(annotations: Readonly<Record<string, string>>): Pod {
  return { metadata: { name: "pod", uid: "1", resourceVersion: "1", annotations } };
}

let runs = 0;

function command(text: string) {
  return {
    runId: `run-${++runs}`,
    command: text,
    cwd: ".",
    env: {},
    timeoutMs: 60_000,
    maxOutputBytes: 65_536,
  };
}
