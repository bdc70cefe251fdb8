import { randomBytes } from "node:crypto";
import { type CallOptions, SkillError } from "@skillwright/core";
import type { CreateWorkspaceOptions } from "@skillwright/core/adapter";
import type { Cluster } from "../cluster/cluster.js";
import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import { claimedPods } from "../ways/claimed-pods.js";
import { plainPods } from "../ways/plain-pods.js";
import type { Recorded, WantedPod } from "../ways/pod-way.js";
import { isAlive, type Pod, removalsOf } from "./pod.js";
import { type PodChange, podCalls } from "./pod-calls.js";
import { ANNOTATIONS, FORMAT_VERSION, workspaceNotFound } from "./pod-names.js";
import { type Start, untilStarted } from "./until-started.js";

type NewPod = Pick<Start, "answers"> &
  Pick<WantedPod, "network" | "measured" | "found"> &
  Pick<CreateWorkspaceOptions, "replaceUnfinished">;

/** The pods of the workspaces of one namespace. */
export interface WorkspacePods {
  /** @throws SkillError `CONFLICT`, `LIMIT_EXCEEDED`, `BACKEND_FAILED`, `ABORTED`. A pod that does not start is removed. */
  create(id: string, pod: NewPod, options: CallOptions): Promise<Pod>;
  /** One read, or two for a claim. `undefined` where there is none, or it has ended. */
  find(id: string, options: CallOptions): Promise<Pod | undefined>;
  /** The same pod now, also when it has ended, in one read. `undefined` where it is gone. */
  look(pod: Pod, options: CallOptions): Promise<Pod | undefined>;
  /** False where another caller removed it. */
  remove(id: string, options: CallOptions): Promise<boolean>;
  /** The records of all that are alive or paused; the others are removed. */
  sweep(options: CallOptions): Promise<readonly Recorded[]>;
  /** Removes the pod and keeps its files. @throws SkillError `UNSUPPORTED` where they are the pod's own. */
  pause(id: string, pod: Pod, options: CallOptions): Promise<void>;
  /** The pod of a workspace, a new one where it was paused. `undefined` where there is none. */
  resume(id: string, start: Pick<Start, "answers">, options: CallOptions): Promise<Pod | undefined>;
  /** @throws SkillError `WORKSPACE_NOT_FOUND`. */
  change(id: string, pod: Pod, change: PodChange, options: CallOptions): Promise<Pod>;
  /** Lets the pod live at least so long from now, in milliseconds. */
  keep(id: string, pod: Pod, forMs: number, options: CallOptions): Promise<void>;
}

export function workspacePods(cluster: Cluster, wish: KubernetesWish): WorkspacePods {
  const pods = podCalls(cluster, wish);
  const { warmPool, startTimeoutMs, owner } = wish;
  const way =
    warmPool === undefined ? plainPods(pods, wish) : claimedPods(cluster, pods, { ...wish, warmPool });

  async function create(
    id: string,
    { answers, replaceUnfinished, ...wanted }: NewPod,
    options: CallOptions,
  ): Promise<Pod> {
    const creation = randomBytes(8).toString("hex");
    const taken = async () => await way.take({ ...wanted, id, owner, creation }, options);
    const pod = await taken().catch(async (error: unknown) => {
      if (!SkillError.is(error, "CONFLICT")) throw error;
      if (await way.free(id, { ...options, replaceUnfinished })) return await taken();
      throw held(id, await way.find(id, options)) ?? error;
    });
    try {
      await started(id, pod, { answers }, options);
      return pod;
    } catch (error) {
      // The first failure is thrown.
      await way.remove(id, pod, {}).catch(() => undefined);
      throw error;
    }
  }

  async function started(
    id: string,
    pod: Pod,
    { answers }: Pick<Start, "answers">,
    options: CallOptions,
  ): Promise<void> {
    const { watch } = pods;
    await untilStarted(pod, { id, timeoutMs: startTimeoutMs, watch, look: lookAgain, answers }, options);
  }

  async function lookAgain(pod: Pod, options: CallOptions): Promise<Pod> {
    const there = await look(pod, options);
    if (!there) throw workspaceNotFound(pod.metadata.annotations?.[ANNOTATIONS.id] ?? "");
    return there;
  }

  async function look({ metadata }: Pod, options: CallOptions): Promise<Pod | undefined> {
    const there = await pods.read(metadata.name, `Reading the pod ${metadata.name}`, options);
    return there?.metadata.uid === metadata.uid ? there : undefined;
  }

  async function find(id: string, options: CallOptions): Promise<Pod | undefined> {
    const pod = await way.find(id, options);
    if (!pod || !isOurs(pod, id) || !isAlive(pod)) return undefined;
    if (pod.metadata.annotations?.[ANNOTATIONS.format] !== FORMAT_VERSION) throw laterVersion(id);
    return pod;
  }

  /** The API server may report success to each of several callers that delete one object. The first mark decides. */
  async function remove(id: string, options: CallOptions): Promise<boolean> {
    const pod = await way.find(id, options);
    if (!pod) {
      if (await way.discard?.(id, options)) return true;
      await way.free(id, options);
    }
    if (!pod || !isOurs(pod, id) || pod.metadata.deletionTimestamp !== undefined) return false;
    const mark = `${ANNOTATIONS.removed}${randomBytes(8).toString("hex")}`;
    const marked = await change(id, pod, { annotations: { [mark]: "" } }, options).catch(notThere);
    const isFirst = marked !== undefined && removalsOf(marked).length === 1;
    await way.remove(id, pod, options);
    return isFirst && isAlive(pod);
  }

  async function pause(id: string, pod: Pod, options: CallOptions): Promise<void> {
    if (!way.pause) throw noPause(id);
    await way.pause(id, pod, options);
  }

  async function resume(
    id: string,
    { answers }: Pick<Start, "answers">,
    options: CallOptions,
  ): Promise<Pod | undefined> {
    const there = await find(id, options);
    if (there) return there;
    const pod = await way.resume?.(id, options);
    if (!pod) return undefined;
    await started(id, pod, { answers }, options);
    await way.resumed?.(id, pod, options);
    return pod;
  }

  async function sweep(options: CallOptions): Promise<readonly Recorded[]> {
    const all = async () => {
      const found: Pod[] = [];
      for await (const pod of pods.list(options))
        if (pod.metadata.annotations?.[ANNOTATIONS.id] !== undefined) found.push(pod);
      return found;
    };
    return await way.sweep(all, options);
  }

  async function change(
    id: string,
    { metadata }: Pod,
    wanted: PodChange,
    options: CallOptions,
  ): Promise<Pod> {
    const pod = await pods.change(metadata, wanted, `Recording in the workspace ${id}`, options);
    if (!pod) throw workspaceNotFound(id);
    return pod;
  }

  return { create, find, look, remove, sweep, change, keep: way.keep, pause, resume };
}

function isOurs({ metadata }: Pod, id: string): boolean {
  return metadata.annotations?.[ANNOTATIONS.id] === id;
}

/** The error for a pod that was deleted and still exists, because a finalizer is pending. */
function held(id: string, pod: Pod | undefined): SkillError | undefined {
  const { deletionTimestamp, finalizers = [], name } = pod?.metadata ?? {};
  if (deletionTimestamp === undefined || finalizers.length === 0) return undefined;
  return new SkillError(
    "CONFLICT",
    `The workspace ${id} could not be created: its earlier pod ${name} was deleted, and its finalizers keep it: ${finalizers.join(", ")}. Start what removes them, or take them away with \`kubectl edit pod ${name}\`, or choose another id.`,
    { details: { workspaceId: id, finalizers } },
  );
}

function noPause(id: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The workspace ${id} cannot be paused: its files are in its pod. Use a warmPool whose SandboxTemplate has volumeClaimTemplates with a volume named workspace.`,
    { details: { workspaceId: id } },
  );
}

function notThere(error: unknown): undefined {
  if (!SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
}

function laterVersion(id: string): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The workspace ${id} was created by another version of the Kubernetes runtime. Use that version, or destroy the workspace.`,
    {
      details: { workspaceId: id },
    },
  );
}
