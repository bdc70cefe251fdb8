import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root } from "../bootstrap/root.mjs";

/**
 * A pool of warm sandboxes, one by default.
 *
 * @typedef {{ readonly runtimeClassName?: string | undefined, readonly replicas?: number | undefined }} WantedPool
 */

/**
 * Makes a namespace with what `deploy/kubernetes` holds, and a kubeconfig with the token of its service account.
 *
 * @param {Omit<import("./start-cluster.mjs").StartedCluster, "stop">} cluster
 * @param {{ prefix: string, pool?: WantedPool | undefined }} wish Without a pool, workspaces are plain pods.
 */
export function clusterNamespace(cluster, { prefix, pool }) {
  const { adminConfig, kubectl: program, image, supervisorImage, isOwn } = cluster;
  const name = `${prefix}-${randomBytes(5).toString("hex")}`;
  /**
   * As the administrator; returns what it prints.
   *
   * @param {readonly string[]} args
   */
  const kubectl = (args, input = "") =>
    execFileSync(program, ["--kubeconfig", adminConfig, ...args], {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
  const directory = mkdtempSync(join(tmpdir(), "sw-kubeconfig-"));
  const imagePullPolicy = /** @type {"Never" | "IfNotPresent"} */ (isOwn ? "Never" : "IfNotPresent");
  const from = join(root, "deploy/kubernetes", pool ? "sandbox" : ".");
  const overlay = {
    namespace: name,
    resources: [relative(realpathSync(directory), from)],
    ...(pool && poolChanges(pool, { image, supervisorImage, imagePullPolicy })),
  };
  writeFileSync(join(directory, "kustomization.yaml"), JSON.stringify(overlay));
  kubectl(["apply", "-k", directory]);
  // No pod is accepted without this account. Controllers whose API server was away make it a while later.
  kubectl(["-n", name, "wait", "--for=create", "serviceaccount/default", "--timeout=120s"]);
  const token = kubectl(["-n", name, "create", "token", "skillwright", "--duration=4h"]).trim();
  const kubeconfig = join(directory, "config");
  const admin = kubectl(["config", "view", "--raw", "--minify", "-o", "json"]);
  writeFileSync(kubeconfig, asUser(admin, token), { mode: 0o600 });
  return {
    name,
    kubeconfig,
    kubectl,
    /** For the runtime. */
    options: {
      kubeconfig,
      namespace: name,
      ...(pool ? { warmPool: "skillwright" } : { image, supervisorImage, imagePullPolicy }),
    },
    remove: () => {
      kubectl(["delete", "namespace", name, "--wait=false", "--ignore-not-found"]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * What a user writes to change the settings of `deploy/kubernetes/sandbox`.
 *
 * @param {WantedPool} pool
 * @param {{ image: string, supervisorImage: string, imagePullPolicy: string }} images
 */
function poolChanges({ runtimeClassName, replicas = 1 }, { image, supervisorImage, imagePullPolicy }) {
  const at = (/** @type {string} */ path) => `/spec/podTemplate/spec/${path}`;
  const changes = [
    ...[0, 1, 2].map((n) => ({ path: at(`containers/${n}/imagePullPolicy`), value: imagePullPolicy })),
    ...(runtimeClassName ? [{ path: at("runtimeClassName"), value: runtimeClassName }] : []),
  ];
  const patch = (/** @type {string} */ kind, /** @type {object[]} */ all) => ({
    target: { kind },
    patch: JSON.stringify(all.map((change) => ({ op: "add", ...change }))),
  });
  return {
    images: [
      { name: "node", newName: image.replace(/:1$/, ""), newTag: "1" },
      { name: "skillwright/supervisor", newName: supervisorImage.replace(/:1$/, ""), newTag: "1" },
    ],
    patches: [
      patch("SandboxTemplate", changes),
      patch("SandboxWarmPool", [{ path: "/spec/replicas", value: replicas }]),
    ],
  };
}

function asUser(/** @type {string} */ config, /** @type {string} */ token) {
  const { clusters, contexts, ...rest } = JSON.parse(config);
  const [{ name: cluster }] = clusters;
  for (const { cluster: it } of clusters) {
    if (!it["certificate-authority"]) continue;
    it["certificate-authority-data"] = readFileSync(it["certificate-authority"]).toString("base64");
    delete it["certificate-authority"];
  }
  return JSON.stringify({
    ...rest,
    clusters,
    users: [{ name: "skillwright", user: { token } }],
    contexts: [{ name: contexts[0].name, context: { cluster, user: "skillwright" } }],
  });
}
