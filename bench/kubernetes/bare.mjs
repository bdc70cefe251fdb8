import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { root } from "../../scripts/bootstrap/root.mjs";

const k8s = createRequire(`${root}/packages/runtime-kubernetes/package.json`)("@kubernetes/client-node");

/** What `@kubernetes/client-node` alone does in the namespace of the place. */
export function bare({ name, adminConfig, kubectl, image, runtimeClassName }) {
  const config = new k8s.KubeConfig();
  config.loadFromFile(adminConfig);
  const core = config.makeApiClient(k8s.CoreV1Api);
  const custom = config.makeApiClient(k8s.CustomObjectsApi);
  const claims = {
    group: "extensions.agents.x-k8s.io",
    version: "v1beta1",
    namespace: name,
    plural: "sandboxclaims",
  };
  const unique = () => `bare-${randomBytes(5).toString("hex")}`;

  /** Ends when the command has ended. */
  async function exec(pod, container, command, input) {
    const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    const stdin = input === undefined ? null : Readable.from(input);
    await new Promise((resolve, reject) => {
      const ended = ({ status, message }) =>
        status === "Success" ? resolve(undefined) : reject(new Error(message));
      new k8s.Exec(config)
        .exec(name, pod, container, command, nowhere(), nowhere(), stdin, false, ended)
        .catch(reject);
    });
  }

  /** Resolves with the first state of an object that satisfies. */
  async function until(path, object, satisfies) {
    const watch = new k8s.Watch(config);
    const query = { fieldSelector: `metadata.name=${object}` };
    let watching;
    try {
      return await new Promise((resolve, reject) => {
        const seen = (_type, state) => satisfies(state) && resolve(state);
        watching = watch.watch(path, query, seen, (error) => reject(error ?? new Error("the watch ended")));
        watching.catch(reject);
      });
    } finally {
      (await watching)?.abort();
    }
  }

  const isReady = ({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;

  /** A pod of one container under "restricted", from nothing to the end of `true` in it. */
  async function pod() {
    const metadata = { name: unique(), labels: { bare: "yes" } };
    const started = performance.now();
    await core.createNamespacedPod({
      namespace: name,
      body: { metadata, spec: podSpec(image, runtimeClassName) },
    });
    await until(`/api/v1/namespaces/${name}/pods`, metadata.name, isReady);
    await exec(metadata.name, "work", ["true"]);
    const took = performance.now() - started;
    return { name: metadata.name, took };
  }

  async function removePod(pod) {
    await core.deleteNamespacedPod({ namespace: name, name: pod, gracePeriodSeconds: 0 });
  }

  /** A claim of the warm pool, from nothing to the end of `true` in its pod. */
  async function claim() {
    const body = {
      apiVersion: `${claims.group}/${claims.version}`,
      kind: "SandboxClaim",
      metadata: { name: unique() },
      spec: { warmPoolRef: { name: "skillwright" } },
    };
    const started = performance.now();
    await custom.createNamespacedCustomObject({ ...claims, body });
    const path = `/apis/${claims.group}/${claims.version}/namespaces/${name}/sandboxclaims`;
    const ready = await until(path, body.metadata.name, isReady);
    await exec(ready.status.sandbox.name, "work", ["true"]);
    const took = performance.now() - started;
    await custom.deleteNamespacedCustomObject({ ...claims, name: body.metadata.name });
    return took;
  }

  /** Until as many pods wait as the pool wants. */
  async function warm(count) {
    const words = [
      "-n",
      name,
      "get",
      "sandboxwarmpool",
      "skillwright",
      "-o",
      "jsonpath={.status.readyReplicas}",
    ];
    while (Number(kubectl(words)) !== count) await setTimeout(50);
  }

  return { exec, pod, removePod, claim, warm };
}

function podSpec(image, runtimeClassName) {
  return {
    ...(runtimeClassName && { runtimeClassName }),
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "work",
        image,
        imagePullPolicy: "Never",
        command: ["/bin/sleep", "1000000"],
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { cpu: "1", memory: "1Gi" } },
        volumeMounts: [{ name: "work", mountPath: "/work" }],
      },
    ],
    volumes: [{ name: "work", emptyDir: { medium: "Memory", sizeLimit: "1Gi" } }],
  };
}
