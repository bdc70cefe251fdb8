import type { Diagnostic } from "@skillwright/core";
import type { Pod } from "../pod/pod.js";

const LOST = "The workspace and its files are lost; create a new one";

const podRemoved: Diagnostic = {
  code: "pod.removed",
  severity: "error",
  message:
    "The pod of the workspace was removed or has ended while it was used, and its commands ended with it.",
  hint: `${LOST}.`,
};

/** What ended a pod, as far as the cluster tells. @param pod As it was last seen; `undefined` where it is gone. */
export function podEnd(pod: Pod | undefined): Diagnostic {
  const { status } = pod ?? {};
  if (status?.reason === "Evicted")
    return {
      code: "pod.evicted",
      severity: "error",
      message: `The node evicted the pod of the workspace: ${status.message?.trim() || "it gives no reason."}`,
      hint: `${LOST}. Raise the limit that is named, or use nodes with more memory and disk.`,
    };
  return outOfMemory(pod) ?? podRemoved;
}

/** Sandboxes with a kernel of their own end as a whole, above the limits of all containers together. */
function outOfMemory(pod: Pod | undefined): Diagnostic | undefined {
  const all = pod?.status?.containerStatuses ?? [];
  const killed = all.filter(({ state }) => state?.terminated?.reason === "OOMKilled").map(({ name }) => name);
  if (killed.length === 0) return undefined;
  const isWhole = killed.length > 1 || all.every(({ state }) => state?.terminated);
  const limits = (pod?.spec?.containers ?? [])
    .filter(({ name }) => isWhole || killed.includes(name))
    .map(({ name, resources }) => `${name} ${resources?.limits?.memory ?? "without one"}`)
    .join(", ");
  const what = isWhole
    ? `The pod of the workspace needed more memory than the limits of its containers together (${limits})`
    : `A container of the workspace's pod needed more memory than its limit (${limits})`;
  return {
    code: "pod.out-of-memory",
    severity: "error",
    message: `${what}, and the system ended it.`,
    hint: `${LOST}. Process the input in parts, or raise limits.memory of the runtime, with warmPool of the SandboxTemplate.`,
  };
}
