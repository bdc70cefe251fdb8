import type { CallOptions } from "@skillwright/core";
import type { Cluster } from "../cluster/cluster.js";
import { LOST, reasonOf, statusOf } from "../cluster/cluster-error.js";
import { managedObjects, removeObject } from "../cluster/managed-objects.js";
import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import type { Pod } from "./pod.js";

export interface PodChange {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Calls about pods of one namespace, whoever made them. */
export interface PodCalls {
  create(manifest: object, doing: string, options: CallOptions): Promise<Pod>;
  read(name: string, doing: string, options: CallOptions): Promise<Pod | undefined>;
  /** The states of a pod after this one. Ends where the server ends it, also because it no longer knows the version. */
  watch(pod: Pod, options: CallOptions): AsyncIterable<Pod>;
  /** `undefined` where there is no such pod, or another one has the name. */
  change(
    pod: { readonly name: string; readonly uid?: string },
    change: PodChange,
    doing: string,
    options: CallOptions,
  ): Promise<Pod | undefined>;
  /** False where it is gone, or another one has its name. */
  remove(pod: Pod, doing: string, options: CallOptions): Promise<boolean>;
  /** All pods that have the labels of this runtime and of its owner. */
  list(options: CallOptions): AsyncIterable<Pod>;
}

export function podCalls(cluster: Cluster, { owner }: Pick<KubernetesWish, "owner">): PodCalls {
  const all = `/api/v1/namespaces/${cluster.namespace}/pods`;

  async function* watch({ metadata }: Pod, options: CallOptions): AsyncGenerator<Pod, void, undefined> {
    const query = new URLSearchParams({
      watch: "true",
      fieldSelector: `metadata.name=${metadata.name}`,
      resourceVersion: metadata.resourceVersion,
    });
    const call = { path: `${all}?${query}`, doing: `Waiting for the pod ${metadata.name}` };
    try {
      for await (const { type, object } of cluster.watch<{ type: string; object: Pod }>(call, options)) {
        if (type === "ERROR") return;
        yield type === "DELETED"
          ? { ...object, metadata: { ...object.metadata, deletionTimestamp: "now" } }
          : object;
      }
    } catch (error) {
      // The caller looks at the pod, and may watch again.
      if (statusOf(error) !== 410 && reasonOf(error) !== LOST) throw error;
    }
  }

  async function change(
    { name, uid }: { readonly name: string; readonly uid?: string },
    metadata: PodChange,
    doing: string,
    options: CallOptions,
  ): Promise<Pod | undefined> {
    const body = { metadata: { ...metadata, ...(uid !== undefined && { uid }) } };
    const call = { method: "PATCH", path: `${all}/${name}`, body, doing } as const;
    try {
      return await cluster.find<Pod>(call, options);
    } catch (error) {
      if (isOfAnotherPod(error)) return undefined;
      throw error;
    }
  }

  async function remove({ metadata }: Pod, doing: string, options: CallOptions): Promise<boolean> {
    const pod = { path: `${all}/${metadata.name}`, doing, uid: metadata.uid };
    return await removeObject(cluster, pod, { gracePeriodSeconds: 0 }, options);
  }

  return {
    create: (body, doing, options) =>
      cluster.call<Pod>({ method: "POST", path: all, body, doing, mayRepeat: true }, options),
    read: (name, doing, options) => cluster.find<Pod>({ path: `${all}/${name}`, doing }, options),
    watch,
    change,
    remove,
    list: (options) =>
      managedObjects<Pod>(
        cluster,
        { path: all, owner, doing: "Listing the pods of the workspaces" },
        options,
      ),
  };
}

/** A change names the pod by its UID, which cannot be changed. */
function isOfAnotherPod(error: unknown): boolean {
  return statusOf(error) === 422 && /metadata\.uid/.test((error as Error).message);
}
