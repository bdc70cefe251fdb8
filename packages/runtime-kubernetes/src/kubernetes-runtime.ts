import { randomBytes } from "node:crypto";
import {
  type CallOptions,
  type RuntimeWorkspace,
  SkillError,
  type WorkspaceRuntime,
} from "@skillwright/core";
import {
  type CreateWorkspaceOptions,
  checkWorkspaceId,
  isWorkspaceId,
  spanned,
  untilAborted,
  untilItWorks,
} from "@skillwright/core/adapter";
import { measuredOn, NOT_MEASURED, type RunCapabilities } from "./capabilities/measured-record.js";
import {
  type Measured,
  measuringOnce,
  PROBE_PREFIX,
  type StartedPod,
} from "./capabilities/measuring-once.js";
import { type Cluster, connectCluster } from "./cluster/cluster.js";
import { type KubernetesRuntimeOptions, kubernetesWish } from "./kubernetes-runtime-options.js";
import { kubernetesWorkspace, type OpenedWorkspace } from "./kubernetes-workspace.js";
import { isAlive, isRunning, type Pod } from "./pod/pod.js";
import { ANNOTATIONS } from "./pod/pod-names.js";
import { type WorkspacePods, workspacePods } from "./pod/workspace-pods.js";
import { liveRuns } from "./run/live-runs.js";
import { isPausable } from "./ways/claim-pause.js";
import { pausableWorkspace } from "./workspace/pausable-workspace.js";

/** A pod for measuring that is older than this and twice the time of a start belongs to a process that was killed. */
const LONGEST_MEASURING_MS = 60_000;

interface Connection {
  readonly cluster: Cluster;
  readonly pods: WorkspacePods;
}

/**
 * Runs commands in one hardened pod per workspace, on any Kubernetes cluster. All data of a workspace is in the cluster,
 * so any process with the same namespace may attach to it. @throws SkillError `CONFIG_INVALID` for an invalid option.
 */
export function kubernetesRuntime(options: KubernetesRuntimeOptions): WorkspaceRuntime {
  const wish = kubernetesWish(options);
  const closing = new AbortController();
  const closed = closing.signal;
  const live = liveRuns();
  const opened = new Map<string, OpenedWorkspace>();
  const connection = untilItWorks(async () => {
    const cluster = await connectCluster(options, wish.callTimeoutMs);
    return { cluster, pods: workspacePods(cluster, wish) };
  });
  const measuring = measuringOnce({
    measureNetwork: wish.measureNetwork,
    connected: async () => (await connected({})).pods,
    startedProbe: () => startedPod(probeId(), { network: true }),
    destroy,
  });

  function checkOpen(): void {
    if (closed.aborted)
      throw new SkillError("CLOSED", "The Kubernetes runtime has been closed. Create a new one.");
  }

  async function connected({ signal }: CallOptions): Promise<Connection> {
    checkOpen();
    return await untilAborted(connection(), signal);
  }

  async function create(
    id: string,
    { network, replaceUnfinished, ...callOptions }: CreateWorkspaceOptions = {},
  ): Promise<RuntimeWorkspace> {
    checkWorkspaceId(id);
    const created = await startedPod(id, { network, replaceUnfinished, ...callOptions });
    try {
      await measuring.check(created, callOptions);
      return handleOf(created);
    } catch (error) {
      created.opened.close();
      throw error;
    }
  }

  /** Makes the pod of a new workspace. Nothing is staged in it, and it has no notes. */
  async function startedPod(
    id: string,
    { network = false, replaceUnfinished, ...callOptions }: CreateWorkspaceOptions,
  ): Promise<StartedPod> {
    const means = await connected(callOptions);
    let workspace: OpenedWorkspace | undefined;
    let isWarm = false;
    const found = (pod: Pod) => {
      isWarm = isRunning(pod);
      const there = isWarm ? openedIn(id, pod, means) : undefined;
      if (there === workspace) return;
      workspace?.close();
      workspace = there;
      there?.prepare();
    };
    const answers = async (pod: Pod, options: CallOptions) => {
      workspace = await open(id, pod, options);
      await (isWarm ? workspace.reached(options) : workspace.answers(options));
    };
    try {
      const pod = await means.pods.create(
        id,
        { network, replaceUnfinished, measured: measuring.record(), found, answers },
        callOptions,
      );
      return { id, pod, opened: await open(id, pod, callOptions) };
    } catch (error) {
      workspace?.close();
      throw error;
    }
  }

  async function measured(callOptions: CallOptions): Promise<Measured> {
    await connected(callOptions);
    if (!measuring.result()) {
      const id = probeId();
      await create(id, callOptions);
      await destroy(id);
    }
    return await untilAborted(measuring.result() as Promise<Measured>, callOptions.signal);
  }

  /** Another process may have made the pod, with another RuntimeClass than the pods of this process. */
  async function runCapabilities(pod: Pod, callOptions: CallOptions): Promise<RunCapabilities> {
    const recorded = measuredOn(pod);
    if (recorded) return recorded;
    const { capabilities, className } = await measured(callOptions);
    return className === pod.spec?.runtimeClassName ? capabilities : NOT_MEASURED;
  }

  async function attach(id: string, callOptions: CallOptions = {}): Promise<RuntimeWorkspace | undefined> {
    checkOpen();
    if (!isWorkspaceId(id)) return undefined;
    const { pods } = await connected(callOptions);
    const pod = await pods.find(id, callOptions);
    if (pod) return handleOf({ id, pod, opened: await open(id, pod, callOptions) });
    const resumed = await resume(id, callOptions);
    return resumed && handleOf(resumed);
  }

  /** A paused workspace gets a new pod. */
  async function resume(id: string, callOptions: CallOptions): Promise<StartedPod | undefined> {
    const { pods } = await connected(callOptions);
    const answers = async (pod: Pod, options: CallOptions) => (await open(id, pod, options)).answers(options);
    const pod = await pods.resume(id, { answers }, callOptions);
    return pod && { id, pod, opened: await open(id, pod, callOptions) };
  }

  function handleOf({ id, pod, opened: { workspace } }: StartedPod): RuntimeWorkspace {
    if (!isPausable(pod)) return workspace;
    let now = pod;
    return pausableWorkspace(workspace, {
      exists: async (callOptions) => {
        const there = await (await connected(callOptions)).pods.look(now, callOptions);
        return there !== undefined && isAlive(there);
      },
      pause: async (callOptions) => await (await connected(callOptions)).pods.pause(id, now, callOptions),
      resume: async (callOptions) => {
        const resumed = await resume(id, callOptions);
        if (resumed) now = resumed.pod;
        return resumed?.opened.workspace;
      },
    });
  }

  async function open(id: string, pod: Pod, callOptions: CallOptions): Promise<OpenedWorkspace> {
    return openedIn(id, pod, await connected(callOptions));
  }

  function openedIn(id: string, pod: Pod, { cluster, pods }: Connection): OpenedWorkspace {
    const known = opened.get(pod.metadata.uid);
    if (known) return known;
    const all = {
      cluster,
      pods,
      live,
      leaseMs: wish.leaseMs,
      closed,
      capabilities: runCapabilities,
      checkOpen,
    };
    const workspace = kubernetesWorkspace(id, pod, all);
    opened.set(pod.metadata.uid, workspace);
    return workspace;
  }

  async function destroy(id: string, callOptions: CallOptions = {}): Promise<boolean> {
    checkOpen();
    if (!isWorkspaceId(id)) return false;
    const { pods } = await connected(callOptions);
    const removed = await pods.remove(id, callOptions);
    await untilAborted(live.over(id), callOptions.signal);
    return removed;
  }

  async function list(callOptions: CallOptions = {}): Promise<readonly string[]> {
    const { pods, cluster } = await connected(callOptions);
    const ids = new Set<string>();
    const left: string[] = [];
    const oldest = (await cluster.now(callOptions)) - 2 * wish.startTimeoutMs - LONGEST_MEASURING_MS;
    for (const { metadata } of await pods.sweep(callOptions)) {
      const id = metadata.annotations?.[ANNOTATIONS.id] ?? "";
      if (!id.startsWith(PROBE_PREFIX)) ids.add(id);
      else if (Date.parse(metadata.creationTimestamp ?? "") < oldest) left.push(id);
    }
    for (const id of left) await pods.remove(id, callOptions);
    return [...ids].sort();
  }

  async function close(): Promise<void> {
    if (closed.aborted) return;
    closing.abort();
    await live.over();
    for (const { close: end } of opened.values()) end();
    await connection().then(
      ({ cluster }) => cluster.close(),
      () => undefined,
    );
  }

  const runtime: WorkspaceRuntime = {
    label: "kubernetes",
    capabilities: async (callOptions = {}) => (await measured(callOptions)).capabilities,
    create,
    attach,
    destroy,
    list,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("runtime", runtime, { runtime: "kubernetes" });
}

function probeId(): string {
  return `${PROBE_PREFIX}${randomBytes(8).toString("hex")}`;
}
