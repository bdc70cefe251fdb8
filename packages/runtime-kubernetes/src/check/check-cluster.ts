import { type CallOptions, type Diagnostic, SkillError } from "@skillwright/core";
import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import { type Cluster, connectCluster } from "../cluster/cluster.js";
import { statusOf } from "../cluster/cluster-error.js";
import { kubernetesRuntime } from "../kubernetes-runtime.js";
import { type KubernetesRuntimeOptions, kubernetesWish } from "../kubernetes-runtime-options.js";
import { claimsFinding } from "./check-claims.js";
import { rightsFinding } from "./check-rights.js";

const NOT_OFF = "network.not-off";

/** What was found about one thing that workspaces need of a cluster. */
export interface ClusterFinding {
  readonly check: "API server" | "rights" | "RuntimeClass" | "agent-sandbox" | "workspace" | "network";
  /** `limited`: workspaces work, but a promise of the runtime does not hold, or could not be checked. */
  readonly state: "ok" | "limited" | "missing";
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
  readonly details?: readonly string[];
}

/**
 * Checks whether workspaces can be used with these options, by creating one, in which a command runs, and removing it.
 * Checks that need an earlier one are left out when it failed.
 * @throws SkillError `CONFIG_INVALID`, `ABORTED`.
 */
export async function checkCluster(
  options: KubernetesRuntimeOptions,
  callOptions: CallOptions = {},
): Promise<readonly ClusterFinding[]> {
  const wish = kubernetesWish(options);
  const cluster = await connectCluster(options, wish.callTimeoutMs);
  try {
    const server = await orFailed("API server", serverFinding(cluster, callOptions));
    if (server.state === "missing") return [server];
    const rights = await orFailed("rights", rightsFinding(cluster, wish.warmPool, callOptions));
    const runtimeClass =
      wish.runtimeClassName === undefined
        ? []
        : [await orFailed("RuntimeClass", classFinding(cluster, wish.runtimeClassName, callOptions))];
    const claims =
      wish.warmPool === undefined
        ? []
        : [await orFailed("agent-sandbox", claimsFinding(cluster, callOptions))];
    const found = [server, rights, ...runtimeClass, ...claims];
    if (found.some(({ state }) => state === "missing")) return found;
    return [...found, ...(await workspaceFindings(options, callOptions))];
  } finally {
    cluster.close();
  }
}

async function serverFinding(cluster: Cluster, options: CallOptions): Promise<ClusterFinding> {
  const call = { path: "/version", doing: "Asking for the version of the cluster" };
  const { gitVersion } = await cluster.call<{ gitVersion: string }>(call, options);
  return {
    check: "API server",
    state: "ok",
    message: `Kubernetes ${gitVersion}, namespace ${cluster.namespace}`,
  };
}

async function classFinding(cluster: Cluster, name: string, options: CallOptions): Promise<ClusterFinding> {
  const path = `/apis/node.k8s.io/v1/runtimeclasses/${encodeURIComponent(name)}`;
  const check = "RuntimeClass";
  try {
    if (await cluster.find({ path, doing: "Reading the RuntimeClass" }, options))
      return { check, state: "ok", message: name };
  } catch (error) {
    if (statusOf(error) !== 403) throw error;
    return {
      check,
      state: "ok",
      message: `${name} (it may not be read; the workspace shows whether it works)`,
    };
  }
  return {
    check,
    state: "missing",
    message: `the cluster has no RuntimeClass ${name}`,
    remedy: "Install it on the nodes and create the object, or change runtimeClassName.",
  };
}

async function workspaceFindings(
  options: KubernetesRuntimeOptions,
  callOptions: CallOptions,
): Promise<readonly ClusterFinding[]> {
  await using runtime = kubernetesRuntime({ ...options, measureNetwork: true });
  const measured = runtime.capabilities(callOptions);
  const workspace = await orFailed(
    "workspace",
    measured.then((found) => workspaceFinding(found, options)),
  );
  return workspace.state === "missing" ? [workspace] : [workspace, networkFinding(await measured)];
}

function workspaceFinding(
  { isolation, diagnostics = [] }: RuntimeCapabilities,
  { image, warmPool }: KubernetesRuntimeOptions,
): ClusterFinding {
  const details = diagnostics
    .filter(({ severity, code }) => severity !== "info" && code !== NOT_OFF)
    .map(sentenceOf);
  const where = warmPool === undefined ? `a pod of ${image}` : `a sandbox of ${warmPool}`;
  return {
    check: "workspace",
    state: details.length > 0 ? "limited" : "ok",
    message: `a command ran in ${where}: ${isolation.by}, level ${isolation.level}`,
    details,
  };
}

function networkFinding({ networkOff, diagnostics = [] }: RuntimeCapabilities): ClusterFinding {
  const about = diagnostics.find(({ code }) => code === NOT_OFF || code === "network.policy");
  return {
    check: "network",
    state: networkOff ? "ok" : "limited",
    message: about?.message ?? "pods have none",
    ...(about && !networkOff && { remedy: about.hint }),
  };
}

function sentenceOf({ message, hint, code }: Diagnostic): string {
  return `${message} ${hint} (${code})`;
}

async function orFailed(
  check: ClusterFinding["check"],
  finding: Promise<ClusterFinding>,
): Promise<ClusterFinding> {
  try {
    return await finding;
  } catch (error) {
    if (!SkillError.is(error) || error.code === "ABORTED") throw error;
    return { check, state: "missing", message: error.message };
  }
}
