import type { CallOptions } from "@skillwright/core";
import type { Cluster } from "../cluster/cluster.js";
import { LOST, reasonOf, statusOf } from "../cluster/cluster-error.js";
import { managedObjects, removeObject } from "../cluster/managed-objects.js";
import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import { CLAIMS, type Claim, noClaims } from "./claim.js";

/** Calls about the claims of one namespace. */
export interface ClaimCalls {
  create(manifest: object, doing: string, options: CallOptions): Promise<Claim>;
  read(name: string, doing: string, options: CallOptions): Promise<Claim | undefined>;
  /** Yields the claim, and again after each change of it. Ends when the claim is deleted. */
  watch(name: string, options: CallOptions): AsyncIterable<Claim>;
  /** @throws SkillError `BACKEND_FAILED` with `details.status` 409 where the claim has another version than the change names. */
  change(name: string, change: object, doing: string, options: CallOptions): Promise<Claim>;
  /** Its sandbox and its pod go with it. False where it is gone, or another one has its name. */
  remove(claim: { readonly name: string; readonly uid: string }, options: CallOptions): Promise<boolean>;
  list(options: CallOptions): Promise<readonly Claim[]>;
}

export function claimCalls(cluster: Cluster, { owner }: Pick<KubernetesWish, "owner">): ClaimCalls {
  const all = `/apis/${CLAIMS}/namespaces/${cluster.namespace}/sandboxclaims`;

  /** The API server does not know the path where the cluster has no such objects. */
  async function ofAll<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw statusOf(error) === 404 ? noClaims(error) : error;
    }
  }

  async function* watch(name: string, options: CallOptions): AsyncGenerator<Claim, void, undefined> {
    const query = new URLSearchParams({ watch: "true", fieldSelector: `metadata.name=${name}` });
    const call = { path: `${all}?${query}`, doing: `Waiting for the SandboxClaim ${name}` };
    for (;;) {
      try {
        for await (const { type, object } of cluster.watch<{ type: string; object: Claim }>(call, options)) {
          if (type === "ERROR") break;
          if (type === "DELETED")
            return yield { ...object, metadata: { ...object.metadata, deletionTimestamp: "now" } };
          yield object;
        }
      } catch (error) {
        if (statusOf(error) !== 410 && reasonOf(error) !== LOST) throw error;
      }
    }
  }

  async function remove(
    { name, uid }: { readonly name: string; readonly uid: string },
    options: CallOptions,
  ): Promise<boolean> {
    const claim = { path: `${all}/${name}`, doing: `Removing the SandboxClaim ${name}`, uid };
    return await removeObject(cluster, claim, { propagationPolicy: "Background" }, options);
  }

  async function list(options: CallOptions): Promise<readonly Claim[]> {
    const claims: Claim[] = [];
    const call = { path: all, owner, doing: "Listing the SandboxClaims of the workspaces" };
    for await (const claim of managedObjects<Claim>(cluster, call, options)) claims.push(claim);
    return claims;
  }

  return {
    create: (body, doing, options) =>
      ofAll(cluster.call<Claim>({ method: "POST", path: all, body, doing, mayRepeat: true }, options)),
    read: (name, doing, options) => cluster.find<Claim>({ path: `${all}/${name}`, doing }, options),
    watch,
    change: (name, body, doing, options) =>
      cluster.call<Claim>(
        { method: "PATCH", path: `${all}/${name}`, body, doing, mayRepeat: false },
        options,
      ),
    remove,
    list: (options) => ofAll(list(options)),
  };
}
