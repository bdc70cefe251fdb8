import { z } from "zod";

const name = z.string().min(1);

const resources = z.strictObject({
  cpu: name.optional().describe("As in a pod, such as `500m`."),
  memory: name.optional().describe("As in a pod, such as `1Gi`."),
});

/** The schema of `SandboxConfig`. */
export const sandbox = z.strictObject({
  kind: z
    .enum(["local", "docker", "kubernetes"])
    .default("local")
    .describe("Processes on this machine, containers of Docker or Podman, or pods of a cluster."),
  isolation: z
    .enum(["sandbox", "auto", "none"])
    .default("sandbox")
    .describe(
      "Isolation of `local`: `sandbox` refuses to run without one, `auto` uses one where there is one, `none` uses none.",
    ),
  image: name
    .optional()
    .describe(
      "Image of `docker`, the runtime's own small one by default; `kubernetes` needs one without `warmPool`.",
    ),
  cluster: z
    .strictObject({
      supervisorImage: name
        .optional()
        .describe("Image that holds the supervisor as `/supervisor`; needed without `warmPool`."),
      warmPool: name
        .optional()
        .describe(
          "SandboxWarmPool whose template decides the pod; without one, the runtime creates pods itself.",
        ),
      keepMs: z
        .int()
        .min(1)
        .optional()
        .describe("How long a sandbox of `warmPool` is kept after its last use; 24 hours by default."),
      measureNetwork: z
        .boolean()
        .optional()
        .describe(
          "Whether to measure if the cluster enforces the NetworkPolicy, with two pods, before the first workspace; false by default.",
        ),
      kubeconfig: name.optional().describe("Path of a kubeconfig; as `kubectl` finds it by default."),
      context: name.optional().describe("Context of the kubeconfig; the current one by default."),
      namespace: name.optional().describe("Namespace of the pods; that of the context by default."),
      runtimeClassName: name.optional().describe("Such as `gvisor`; the cluster's own choice by default."),
      imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional().describe("As in a pod."),
      imagePullSecrets: z
        .array(name)
        .optional()
        .describe("Names of secrets in the namespace; none by default."),
      nodeSelector: z.record(name, z.string()).optional().describe("As in a pod; none by default."),
      tolerations: z.array(z.record(name, z.unknown())).optional().describe("As in a pod; none by default."),
      storageBytes: z
        .int()
        .min(1024 * 1024)
        .optional()
        .describe("Size of all files of a workspace, in memory; 1 GiB by default."),
      limits: resources.optional().describe("1 CPU and 1 GiB of memory by default."),
      requests: resources.optional().describe("50m CPU and 64 MiB of memory by default."),
    })
    .optional()
    .describe("Where the pods of `kubernetes` are."),
  workDir: name.default(".").describe("Base of a relative `skillsPackage.path`."),
  root: name.optional().describe("Directory of the workspaces of `local`; the runtime's own by default."),
  skillCopies: z
    .enum(["none", "run", "workspace"])
    .optional()
    .describe("Whether commands get writable copies of skills (`run`: `local` only); `none` by default."),
  hostFolder: z
    .strictObject({
      path: name.describe("Absolute path."),
      undo: z.boolean().default(true).describe("A snapshot precedes the first change of each turn."),
      maxFiles: z
        .int()
        .min(1)
        .optional()
        .describe("Most files and folders of a snapshot; 50,000 by default."),
      maxBytes: z.int().min(1).optional().describe("Most bytes of a snapshot; 1 GiB by default."),
    })
    .optional()
    .describe(
      "A folder of the user that commands see at `work/project` and may change. The user is asked once; none by default.",
    ),
});
