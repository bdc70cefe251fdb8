import { SkillError } from "@skillwright/core";

/** Compute resources of the container in which commands run, in the notation of Kubernetes. */
export interface PodResources {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

export interface KubernetesRuntimeOptions {
  /** Image in which commands run. It needs `/bin/sh`, and nothing of ours. Required without `warmPool`. */
  readonly image?: string | undefined;
  /**
   * Image that holds the supervisor, and nothing else of use: `docker/supervisor` builds it. The supervisor is
   * copied from it, and it records the runs. Required without `warmPool`.
   */
  readonly supervisorImage?: string | undefined;
  /**
   * Name of a SandboxWarmPool in the namespace, as `deploy/kubernetes/sandbox` has it. Each workspace then is the pod of a
   * SandboxClaim. What the pod consists of is in the SandboxTemplate, and cannot be set here: `image`, `supervisorImage`,
   * `runtimeClassName`, `imagePullPolicy`, `imagePullSecrets`, `nodeSelector`, `tolerations`, `storageBytes`, `limits`,
   * `requests` and `user`. By default the runtime creates the pods itself.
   */
  readonly warmPool?: string | undefined;
  /**
   * How long the cluster keeps a workspace of `warmPool` after its last use, in milliseconds: it removes the claim at its
   * `shutdownTime`, which each use moves. A run adds its time limit and `leaseMs`. Defaults to 24 hours.
   */
  readonly keepMs?: number | undefined;
  /** Path of a kubeconfig. Defaults to `KUBECONFIG`, `~/.kube/config`, or the service account of this process's pod. */
  readonly kubeconfig?: string | undefined;
  /** Defaults to the current context of the kubeconfig. */
  readonly context?: string | undefined;
  /** Namespace of the workspaces; runtimes of one namespace share them. Defaults to that of the context. */
  readonly namespace?: string | undefined;
  /**
   * Runtimes with different owners never see each other's workspaces, also in one namespace. Up to 63 letters, digits, `-` and
   * `_`; the first and the last are letters or digits. Defaults to none.
   */
  readonly owner?: string | undefined;
  /** `gvisor`, or another class of the cluster. Defaults to the cluster's own choice. */
  readonly runtimeClassName?: string | undefined;
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
  /** Names of secrets in the namespace. */
  readonly imagePullSecrets?: readonly string[] | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** As in a pod. */
  readonly tolerations?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Size of all files of a workspace, which are kept in memory. Defaults to 1 GiB. */
  readonly storageBytes?: number | undefined;
  /** Defaults to 1 CPU and 1 GiB. Files in memory that commands write count to it; those that hosts write do not. */
  readonly limits?: PodResources | undefined;
  /** Defaults to 50m CPU and 64 MiB. */
  readonly requests?: PodResources | undefined;
  /** The user that commands run as. Defaults to 1000 and 1000; never 0. The recorder has the next number. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /**
   * Whether to measure if the cluster enforces the NetworkPolicy of `deploy/kubernetes`, with two pods, before the first
   * workspace. Only then the network can count as turned off where pods have one. Defaults to false.
   */
  readonly measureNetwork?: boolean | undefined;
  /** Deadline of each call of the API server, and of an upload whose other end takes nothing, in milliseconds. Defaults to 30 s. */
  readonly callTimeoutMs?: number | undefined;
  /** How long a new pod may take until its containers run, in milliseconds. Defaults to 120 s. */
  readonly startTimeoutMs?: number | undefined;
  /** How long a run goes on when no process that has a handle of it is alive, in milliseconds. Defaults to 60 s. */
  readonly leaseMs?: number | undefined;
}

type Defaulted =
  | "limits"
  | "requests"
  | "user"
  | "callTimeoutMs"
  | "startTimeoutMs"
  | "leaseMs"
  | "keepMs"
  | "image"
  | "supervisorImage"
  | "storageBytes";

/** The options with their defaults. */
export type KubernetesWish = Omit<KubernetesRuntimeOptions, Defaulted> & {
  readonly [Name in Defaulted]-?: NonNullable<KubernetesRuntimeOptions[Name]>;
};

/** In the SandboxTemplate where there is a warm pool. */
const OF_THE_POD = [
  ...["image", "supervisorImage", "runtimeClassName", "imagePullPolicy", "imagePullSecrets", "nodeSelector"],
  ...["tolerations", "storageBytes", "limits", "requests", "user"],
] as readonly (keyof KubernetesRuntimeOptions)[];

const DAY_MS = 24 * 60 * 60 * 1000;
const MEBIBYTE = 1024 * 1024;
const LONGEST_MS = 2 ** 31 - 1;
const LARGEST_ID = 2 ** 31 - 2;

/** @throws SkillError `CONFIG_INVALID` naming the option. */
export function kubernetesWish(options: KubernetesRuntimeOptions): KubernetesWish {
  const { image = "", supervisorImage = "", warmPool } = options;
  const { user = { uid: 1000, gid: 1000 }, storageBytes = 1024 * MEBIBYTE } = options;
  if (warmPool === undefined && (image === "" || supervisorImage === "")) throw noImages();
  if (warmPool !== undefined) checkPool(options);
  else
    for (const [name, value] of Object.entries({ image, supervisorImage }))
      if (typeof value !== "string" || value === "" || /\s/.test(value))
        throw unfit(name, value, "the name of an image");
  for (const id of [user.uid, user.gid])
    if (!Number.isSafeInteger(id) || id < 1 || id > LARGEST_ID)
      throw unfit("user", id, "a uid and a gid from 1 on");
  if (!Number.isSafeInteger(storageBytes) || storageBytes < MEBIBYTE)
    throw unfit("storageBytes", storageBytes, `a whole number from ${MEBIBYTE} on`);
  const { callTimeoutMs = 30_000, startTimeoutMs = 120_000, leaseMs = 60_000, keepMs = DAY_MS } = options;
  for (const [name, value] of Object.entries({ callTimeoutMs, startTimeoutMs, leaseMs, keepMs }))
    if (!Number.isInteger(value) || value < 1 || value > LONGEST_MS)
      throw unfit(name, value, "a whole number of milliseconds above 0");
  const { limits, requests, owner = "a" } = options;
  if (!/^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/.test(owner))
    throw unfit("owner", owner, "1 to 63 letters, digits, - and _, with a letter or digit at both ends");
  return {
    ...options,
    ...{ image, supervisorImage, user, storageBytes, callTimeoutMs, startTimeoutMs, leaseMs, keepMs },
    limits: { cpu: "1", memory: "1Gi", ...limits },
    requests: { cpu: "50m", memory: "64Mi", ...requests },
  };
}

function noImages(): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    "The Kubernetes runtime needs the options image and supervisorImage, or warmPool: in a configuration file, agent.sandbox.image and agent.sandbox.cluster.",
  );
}

function checkPool(options: KubernetesRuntimeOptions): void {
  if (typeof options.warmPool !== "string" || options.warmPool === "")
    throw unfit("warmPool", options.warmPool, "the name of a SandboxWarmPool");
  for (const name of OF_THE_POD)
    if (options[name] !== undefined)
      throw unfit(name, options[name], "left out, because with warmPool the SandboxTemplate decides it");
}

function unfit(name: string, value: unknown, rule: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The option ${name} of the Kubernetes runtime cannot be ${JSON.stringify(value)}: it must be ${rule}.`,
    { details: { option: name } },
  );
}
