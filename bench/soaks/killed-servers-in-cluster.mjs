import { setTimeout } from "node:timers/promises";
import { clusterNamespace } from "../../scripts/cluster/cluster-namespace.mjs";
import { leftOfWorkspaces } from "../../scripts/cluster/left-of-workspaces.mjs";
import { startCluster } from "../../scripts/cluster/start-cluster.mjs";
import { built } from "../built.mjs";

/** The tests on the cluster run a short form of this soak. */
export const isTested = true;

const ROUNDS = 200;
/** A sweep removes a workspace whose creation has shown no sign of life for twice this time. */
const START_TIMEOUT_MS = 1000;
const SWEPT_MS = 300_000;

/**
 * Kills one of two servers whose workspaces are pods of the cluster, as `killSharedServers` says. At the end, when the last
 * conversation was deleted, a sweep leaves nothing in the namespace.
 *
 * @param {{ seed: number, share: number, tell: (line: string) => void, cluster?: any }} given
 * Without `cluster` it starts one.
 */
export async function soak({ cluster: given, ...how }) {
  const cluster = given ?? (await startCluster());
  if ("reason" in cluster) throw new Error(`There is no cluster: ${cluster.reason}`);
  try {
    return await inCluster(cluster, how);
  } finally {
    if (!given) await cluster.stop();
  }
}

async function inCluster(cluster, { seed, share, tell }) {
  // Imported here, because the test of all soaks also reads this file where nothing is built.
  const { killSharedServers } = await import("../killed-servers/shared-servers.mjs");
  const namespace = clusterNamespace(cluster, { prefix: "skillwright-soak" });
  const { image, ...options } = /** @type {any} */ (namespace.options);
  try {
    const rounds = Math.max(1, Math.round(ROUNDS * share));
    const sandbox = { kind: "kubernetes", image, cluster: options };
    const result = await killSharedServers({ seed, rounds, tell, sandbox });
    await swept(namespace);
    return `${result}: every command ran once, no event was lost, and nothing is left`;
  } finally {
    namespace.remove();
  }
}

/** Killed servers may have left workspaces that they were creating. */
async function swept(namespace) {
  const { kubernetesRuntime } = await built("runtime-kubernetes");
  const list = async (owner) => {
    const options = { ...namespace.options, owner, startTimeoutMs: START_TIMEOUT_MS };
    await using runtime = kubernetesRuntime(options);
    return await runtime.list();
  };
  for (const deadline = performance.now() + SWEPT_MS; ; await setTimeout(500)) {
    const listed = await Promise.all(ownersIn(namespace).map(list));
    const left = [...listed.flat(), ...leftOfWorkspaces(namespace)];
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`${left.join(", ")} are left in the namespace`);
  }
}

/** Servers name their workspaces after their conversations. */
function ownersIn({ name, kubectl }) {
  const { items } = JSON.parse(kubectl(["-n", name, "get", "pods,sandboxclaims", "-o", "json"]));
  return [...new Set(items.map(({ metadata }) => metadata.labels?.["skillwright.dev/owner"]))];
}
