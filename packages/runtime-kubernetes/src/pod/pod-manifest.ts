import type { KubernetesWish } from "../kubernetes-runtime-options.js";
import type { WantedPod } from "../ways/pod-way.js";
import { CONTAINERS, PROGRAMS, podName, podRecordOf, RECORDS, ROOT, SUPERVISOR } from "./pod-names.js";

/** Connects the first process of `work` to the recorder; nothing else of the pod runs when it does. */
const SOCKET = "skillwright";
const RECORDER_HOLD = `${RECORDS}/first`;
export const RECORDER_SOCKET = `${RECORDS}/socket`;
export const FIRST = RECORDER_HOLD;

const HARDENED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
} as const;

const OWN_BYTES = 256 * 1024 * 1024;
const SMALL = { requests: { cpu: "5m", memory: "16Mi" }, limits: { memory: `${OWN_BYTES}` } } as const;
const RECORD_BYTES = "64Mi";

/** The pod of a workspace, admitted under the Pod Security level "restricted". */
export function podManifest(wanted: WantedPod, wish: KubernetesWish): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: podName(wanted.id, wanted.owner), ...podRecordOf(wanted) },
    spec: podSpec(wish),
  };
}

/** `deploy/kubernetes/sandbox/template.yaml` is the same for the default options. */
export function podSpec(wish: KubernetesWish): object {
  const { uid, gid } = wish.user;
  const pull = wish.imagePullPolicy && { imagePullPolicy: wish.imagePullPolicy };
  const own = { image: wish.supervisorImage, ...pull };
  return {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(wish.runtimeClassName !== undefined && { runtimeClassName: wish.runtimeClassName }),
    ...(wish.nodeSelector && { nodeSelector: wish.nodeSelector }),
    ...(wish.tolerations && { tolerations: wish.tolerations }),
    ...(wish.imagePullSecrets && { imagePullSecrets: wish.imagePullSecrets.map((name) => ({ name })) }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: gid,
      fsGroup: gid,
      seccompProfile: { type: "RuntimeDefault" },
    },
    // They start in this order. The next one waits for the hook of the one before, which costs less than an init container.
    containers: [
      {
        name: CONTAINERS.recorder,
        ...own,
        command: ["/supervisor", "hold", SOCKET, RECORDER_HOLD, "serve", "--socket", RECORDER_SOCKET],
        securityContext: { ...HARDENED, runAsUser: uid + 1 },
        resources: SMALL,
        lifecycle: { postStart: { exec: { command: ["/supervisor", "copy", SUPERVISOR] } } },
        volumeMounts: [
          { name: "records", mountPath: RECORDS },
          { name: "programs", mountPath: PROGRAMS },
        ],
      },
      {
        name: CONTAINERS.files,
        ...own,
        command: ["/supervisor", "wait"],
        securityContext: HARDENED,
        // Files in memory count to the container that writes them.
        resources: { ...SMALL, limits: { memory: `${wish.storageBytes + OWN_BYTES}` } },
        // The second one makes the directory.
        volumeMounts: [
          { name: "workspace", mountPath: ROOT },
          { name: "workspace", mountPath: "/inputs", subPath: "work/inputs" },
        ],
      },
      {
        name: CONTAINERS.work,
        image: wish.image,
        ...pull,
        command: [SUPERVISOR, "first", SOCKET],
        workingDir: "/",
        securityContext: HARDENED,
        resources: { requests: wish.requests, limits: wish.limits },
        volumeMounts: [
          { name: "programs", mountPath: PROGRAMS, readOnly: true },
          { name: "workspace", mountPath: `${ROOT}/skills`, subPath: "skills", readOnly: true },
          ...["work", "out", "runs"].map((name) => ({
            name: "workspace",
            mountPath: `${ROOT}/${name}`,
            subPath: name,
          })),
          { name: "tmp", mountPath: "/tmp" },
        ],
      },
    ],
    volumes: [
      { name: "programs", emptyDir: { medium: "Memory", sizeLimit: "4Mi" } },
      { name: "records", emptyDir: { medium: "Memory", sizeLimit: RECORD_BYTES } },
      { name: "workspace", emptyDir: { medium: "Memory", sizeLimit: `${wish.storageBytes}` } },
      { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
    ],
  };
}
