import { SkillError } from "@skillwright/core";
import type { Pod } from "./pod.js";

const NEVER = new Set([
  "ErrImageNeverPull",
  "InvalidImageName",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "ImagePullBackOff",
  "CrashLoopBackOff",
  "PostStartHookError",
]);

/** Why the pod's containers will not run, as far as the cluster tells; `undefined` while they still may. */
export function startTrouble(pod: Pod, id: string): SkillError | undefined {
  const { status, metadata } = pod;
  for (const { name, image, state } of [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]) {
    const { reason = "", message = "" } = state?.waiting ?? {};
    if (!NEVER.has(reason)) continue;
    const remedy = /Image/.test(reason)
      ? `Check the name of the image${image ? ` ${image}` : ""}, the pull secrets, and whether the nodes reach its registry`
      : "Check the image and the options of the runtime";
    return failed(
      id,
      `its container ${name} is not started: ${reason}${message && `, ${message}`}. ${remedy}.`,
      { reason },
    );
  }
  if (metadata.deletionTimestamp !== undefined)
    return failed(id, "its pod was deleted while it started. Try again.", { reason: "Deleted" });
  const failedInit = status?.initContainerStatuses?.find(
    ({ state }) => (state?.terminated?.exitCode ?? 0) !== 0,
  );
  const ended = failedInit ?? status?.containerStatuses?.find(({ state }) => state?.terminated);
  if (ended || status?.phase === "Failed" || status?.phase === "Succeeded") {
    const code = ended?.state?.terminated;
    const what =
      ended && code
        ? `its container ${ended.name} ended with ${code.exitCode} (${code.reason ?? "no reason"})`
        : "its pod ended";
    return failed(
      id,
      `${what}: ${status?.reason ?? ""} ${status?.message ?? ""}. Check the image, the user and the limits.`,
      { reason: status?.reason ?? code?.reason },
    );
  }
  return undefined;
}

/** What the cluster still waits for when the time is over. */
export function tooLate(pod: Pod | undefined, id: string, timeoutMs: number): SkillError {
  const scheduled = pod?.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False")
    return failed(
      id,
      `no node of the cluster takes its pod: ${scheduled.message ?? scheduled.reason}. Ask for fewer resources, change nodeSelector or tolerations, or add a node.`,
      { reason: scheduled.reason },
    );
  const waiting = [
    ...(pod?.status?.initContainerStatuses ?? []),
    ...(pod?.status?.containerStatuses ?? []),
  ].find(({ state }) => state?.waiting);
  const why = waiting
    ? `its container ${waiting.name} waits: ${waiting.state?.waiting?.reason} ${waiting.state?.waiting?.message ?? ""}`
    : "its containers do not run";
  return failed(
    id,
    `${why}, after ${timeoutMs} ms. Check the node with \`kubectl describe pod\`, or raise startTimeoutMs.`,
    { reason: waiting?.state?.waiting?.reason },
  );
}

function failed(id: string, why: string, details: Record<string, unknown>): SkillError {
  return new SkillError("BACKEND_FAILED", `The workspace ${id} could not be created: ${why}`, {
    details: { workspaceId: id, ...details },
  });
}
