import { type CallOptions, SkillError } from "@skillwright/core";
import { type RuntimeCapabilities, untilAborted } from "@skillwright/core/adapter";
import type { OpenedWorkspace } from "../kubernetes-workspace.js";
import { measurePolicy } from "../network/measure-policy.js";
import type { PolicyEffect } from "../network/policy-effect.js";
import type { Pod } from "../pod/pod.js";
import type { WorkspacePods } from "../pod/workspace-pods.js";
import { capabilitiesOf, hasNetwork, MEASURING } from "./measure.js";
import { measuredRecord } from "./measured-record.js";

/** Begins the id of a workspace that exists only to measure. */
export const PROBE_PREFIX = "__skillwright_probe_";

/** The pod of a workspace, in which no command has run. */
export interface StartedPod {
  readonly id: string;
  readonly pod: Pod;
  readonly opened: OpenedWorkspace;
}

export interface Measured {
  readonly capabilities: RuntimeCapabilities;
  readonly hasNoInterface: boolean;
  /** The RuntimeClass of the pod in which it was measured. */
  readonly className: string | undefined;
}

/** The measurement of one process. */
export interface MeasuringOnce {
  /** `undefined` where nothing was measured yet. */
  result(): Promise<Measured> | undefined;
  /** The annotations that tell other processes. */
  record(): Readonly<Record<string, string>> | undefined;
  /** Measures in the workspace, unless that was done. One that cannot be used is removed. @throws SkillError `UNSUPPORTED`. */
  check(created: StartedPod, options: CallOptions & { readonly network?: boolean }): Promise<void>;
}

interface Means {
  readonly measureNetwork: boolean | undefined;
  connected(): Promise<WorkspacePods>;
  startedProbe(): Promise<StartedPod>;
  destroy(id: string): Promise<boolean>;
}

const NO_EFFECT_KNOWN: PolicyEffect = { state: "unknown", because: "that was not measured" };

export function measuringOnce({ measureNetwork, connected, startedProbe, destroy }: Means): MeasuringOnce {
  let measured: Promise<Measured> | undefined;
  let record: Readonly<Record<string, string>> | undefined;

  async function check(
    created: StartedPod,
    { signal, network }: CallOptions & { readonly network?: boolean },
  ): Promise<void> {
    const isFirst = measured === undefined;
    measured ??= measure(created);
    try {
      const { hasNoInterface, capabilities } = await untilAborted(measured, signal);
      record = measuredRecord(capabilities);
      if (isFirst && !created.id.startsWith(PROBE_PREFIX)) await tell(created, record);
      if (hasNoInterface && network) throw noNetwork(created.id);
    } catch (error) {
      measured = undefined;
      // The first failure is thrown.
      await (await connected()).remove(created.id, {}).catch(() => undefined);
      throw error;
    }
  }

  /** If this fails, another process measures for itself. */
  async function tell({ id, pod }: StartedPod, annotations: Readonly<Record<string, string>>): Promise<void> {
    // Without the record, another process measures for itself.
    await (await connected()).change(id, pod, { annotations }, {}).catch(() => undefined);
  }

  async function measure({ pod, opened: { printed } }: StartedPod): Promise<Measured> {
    const text = await printed(MEASURING);
    const hasNoInterface = !hasNetwork(text);
    const policy = hasNoInterface || !measureNetwork ? NO_EFFECT_KNOWN : await measuredPolicy();
    const className = pod.spec?.runtimeClassName;
    return { hasNoInterface, className, capabilities: capabilitiesOf(text, { className, policy }) };
  }

  async function measuredPolicy(): Promise<PolicyEffect> {
    const pods = await connected();
    const started = await Promise.allSettled([1, 2].map(startedProbe));
    const probes = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    try {
      const [from, to] = probes;
      if (from && to) return await measurePolicy(pods, [from, to]);
      throw started.find((each) => each.status === "rejected")?.reason;
    } finally {
      await Promise.all(probes.map(({ id }) => destroy(id)));
    }
  }

  return { check, result: () => measured, record: () => record };
}

function noNetwork(id: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The workspace ${id} was not created: its commands need the network, and the pods of this runtime have none. Use another runtimeClassName.`,
    { details: { workspaceId: id } },
  );
}
