import { type CallOptions, SkillError } from "@skillwright/core";
import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import { isAlive, type Pod } from "../pod/pod.js";
import type { PodCalls } from "../pod/pod-calls.js";
import { podManifest } from "../pod/pod-manifest.js";
import { ANNOTATIONS, podName } from "../pod/pod-names.js";
import type { PodWay, WantedPod } from "./pod-way.js";

/** Creates a pod for each workspace, which lives until it is removed. Its name is made from the id. */
export function plainPods(pods: PodCalls, wish: KubernetesWish): PodWay {
  async function take(wanted: WantedPod, options: CallOptions): Promise<Pod> {
    const { id, creation } = wanted;
    try {
      const doing = `Creating the pod of the workspace ${id}`;
      return await pods.create(podManifest(wanted, wish), doing, options);
    } catch (error) {
      if (!SkillError.is(error, "CONFLICT")) throw error;
      // The answer of an earlier try was lost.
      const there = await find(id, options);
      if (there?.metadata.annotations?.[ANNOTATIONS.creation] === creation) return there;
      throw error;
    }
  }

  const nameOf = (id: string) => podName(id, wish.owner);

  async function find(id: string, options: CallOptions): Promise<Pod | undefined> {
    return await pods.read(nameOf(id), `Reading the pod of the workspace ${id}`, options);
  }

  /** A pod that has ended keeps its name, although its files are gone. */
  async function free(id: string, options: CallOptions): Promise<boolean> {
    const there = await find(id, options);
    if (there && (isAlive(there) || there.metadata.deletionTimestamp !== undefined)) return false;
    return !there || (await remove(id, there, options));
  }

  async function remove(id: string, pod: Pod, options: CallOptions): Promise<boolean> {
    return await pods.remove(pod, `Removing the pod of the workspace ${id}`, options);
  }

  async function sweep(all: () => Promise<readonly Pod[]>, options: CallOptions): Promise<readonly Pod[]> {
    const found: Pod[] = [];
    for (const pod of await all()) {
      const { annotations, deletionTimestamp, name } = pod.metadata;
      const id = annotations?.[ANNOTATIONS.id] ?? "";
      if (name !== nameOf(id)) continue;
      if (isAlive(pod)) found.push(pod);
      // The next sweep tries again.
      else if (deletionTimestamp === undefined) await remove(id, pod, options).catch(() => undefined);
    }
    return found;
  }

  return { take, find, free, remove, sweep, keep: async () => undefined };
}
