/**
 * Returns the objects of a namespace that belong to a workspace, and not to the pool.
 *
 * @param {{ name: string, kubectl: (args: readonly string[]) => string }} namespace
 * @returns {readonly string[]} kinds and names
 */
export function leftOfWorkspaces({ name, kubectl }) {
  const kinds = "sandboxclaims,sandboxes,pods,secrets,configmaps,networkpolicies";
  const { items } = JSON.parse(kubectl(["-n", name, "get", kinds, "-o", "json"]));
  const ofPool = items
    .filter((/** @type {Owned} */ each) => ownerOf(each)?.kind === "SandboxWarmPool")
    .map(nameOf);
  return items
    .filter(
      (/** @type {Owned} */ each) => !ofPool.includes(nameOf(each)) && !ofPool.includes(ownerOf(each)?.name),
    )
    .map((/** @type {Owned} */ each) => `${each.kind} ${nameOf(each)}`)
    .filter((/** @type {string} */ each) => !DEPLOYED.has(each));
}

const DEPLOYED = new Set(["ConfigMap kube-root-ca.crt", "NetworkPolicy skillwright-none"]);

/**
 * @typedef {{ kind: string, metadata: { name: string, ownerReferences?: { kind: string, name: string }[] } }} Owned
 */

function ownerOf(/** @type {Owned} */ { metadata }) {
  return metadata.ownerReferences?.[0];
}

function nameOf(/** @type {Owned} */ { metadata }) {
  return metadata.name;
}
