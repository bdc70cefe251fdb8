import type { CallOptions } from "@skillwright/core";
import type { CreateWorkspaceOptions } from "@skillwright/core/adapter";
import type { Pod } from "../pod/pod.js";

export interface WantedPod {
  readonly id: string;
  readonly owner: string | undefined;
  readonly network: boolean;
  /** Recorded on what is made, so that its maker recognises it. */
  readonly creation: string;
  /** Annotations with what this process has measured; `undefined` before its first measurement. */
  readonly measured?: Readonly<Record<string, string>> | undefined;
  /** Called with a pod that exists already, while the record of the workspace is being written on it. */
  readonly found?: ((pod: Pod) => void) | undefined;
}

/** What holds the record of a workspace: its pod, or the claim of a paused one. */
export type Recorded = { readonly metadata: Pick<Pod["metadata"], "annotations" | "creationTimestamp"> };

/** How the pod of a workspace is got, found again, kept alive and removed. */
export interface PodWay {
  /** The pod has the labels and the record of the workspace; its containers may not run yet. @throws SkillError `CONFLICT`. */
  take(wanted: WantedPod, options: CallOptions): Promise<Pod>;
  /** Also one that has ended. */
  find(id: string, options: CallOptions): Promise<Pod | undefined>;
  /**
   * Removes what is left of a workspace whose pod has ended. With `replaceUnfinished`, also removes a workspace that its creator
   * did not finish. Returns false if the id is in use.
   */
  free(
    id: string,
    options: CallOptions & Pick<CreateWorkspaceOptions, "replaceUnfinished">,
  ): Promise<boolean>;
  /** Removes the pod of a workspace, and what holds it. False where it is gone. */
  remove(id: string, pod: Pod, options: CallOptions): Promise<boolean>;
  /**
   * Removes what is left of workspaces whose pod has ended. Returns the others, also paused ones. Pods that only bear the
   * labels and the record of a workspace are left alone. @param pods Lists all that bear them.
   */
  sweep(pods: () => Promise<readonly Pod[]>, options: CallOptions): Promise<readonly Recorded[]>;
  /** Removes the pod and keeps the files of the workspace. Settles when the pod is gone. Missing where files cannot outlive a pod. */
  pause?(id: string, pod: Pod, options: CallOptions): Promise<void>;
  /** The new pod of a paused workspace, which `resumed` records once it has started; `undefined` where none is paused. */
  resume?(id: string, options: CallOptions): Promise<Pod | undefined>;
  resumed?(id: string, pod: Pod, options: CallOptions): Promise<void>;
  /** Removes a paused workspace. False where there is none. */
  discard?(id: string, options: CallOptions): Promise<boolean>;
  /** Lets the pod live at least so long from now, in milliseconds. */
  keep(id: string, pod: Pod, forMs: number, options: CallOptions): Promise<void>;
}
