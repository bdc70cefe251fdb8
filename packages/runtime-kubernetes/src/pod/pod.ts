import { ANNOTATIONS, CONTAINERS } from "./pod-names.js";

/** The parts of a pod that this runtime reads. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: {
    readonly nodeName?: string;
    readonly runtimeClassName?: string;
    readonly volumes?: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[];
    readonly containers?: readonly {
      readonly name: string;
      readonly resources?: { readonly limits?: { readonly memory?: string } };
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly imageID?: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: object;
    readonly terminated?: { readonly exitCode: number; readonly reason?: string };
  };
}

/** True for a pod that still has, or will have, its files: not one that ended, or that only waits to be removed. */
export function isAlive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod) && removalsOf(pod).length === 0;
}

/** The annotations of the callers that want to remove the pod. */
export function removalsOf({ metadata }: Pod): readonly string[] {
  return Object.keys(metadata.annotations ?? {}).filter((name) => name.startsWith(ANNOTATIONS.removed));
}

/** True when no command can run in the pod any more. */
export function hasEnded(pod: Pod): boolean {
  const work = pod.status?.containerStatuses?.find(({ name }) => name === CONTAINERS.work);
  return isFinal(pod) || work?.state?.terminated !== undefined;
}

/** True when all containers of the pod have ended, and its status tells why. */
export function isFinal({ status }: Pod): boolean {
  return status?.phase === "Failed" || status?.phase === "Succeeded";
}

export function isRunning({ status }: Pod): boolean {
  const states = status?.containerStatuses ?? [];
  return states.length > 0 && states.every(({ state }) => state?.running !== undefined);
}
