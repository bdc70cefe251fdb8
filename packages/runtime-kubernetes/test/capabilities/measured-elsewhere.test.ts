import { run } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { measuredOn, measuredRecord } from "../../src/capabilities/measured-record.js";
import { kubernetesRuntime } from "../../src/index.js";
import type { Pod } from "../../src/pod/pod.js";
import { ANNOTATIONS } from "../../src/pod/pod-names.js";
import { onBothWays } from "../cluster-setup/cluster.js";
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

function command(text: string) {
  return { runId: "one", command: text, cwd: ".", env: {}, timeoutMs: 60_000, maxOutputBytes: 65_536 };
}
