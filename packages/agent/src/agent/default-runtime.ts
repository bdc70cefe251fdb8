import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { importOptional } from "../models/import-optional.js";
import type { SandboxConfig } from "./agent-config.js";

/** Progress of pulling the image of containers. */
export interface ImagePull {
  readonly image: string;
  /** The engine's status text: `Downloading`, `Pull complete`. */
  readonly status: string;
  readonly layer?: string | undefined;
  /** Bytes of the layer, where the engine reports them. */
  readonly total?: number | undefined;
}

/** What an application adds to the configuration of a runtime. */
export interface DefaultRuntimeOptions {
  readonly onPull?: ((progress: ImagePull) => void) | undefined;
  /**
   * Separates the workspaces of one application from all others. `applicationNamespace` makes one from a name and a folder, and
   * `workspacesName` of `@skillwright/config` from stored conversations. Defaults to the default of the runtime.
   */
  readonly namespace?: string | undefined;
}

/**
 * Creates the runtime of the configured kind, as an agent without `dependencies.runtime` does. Its package is imported
 * only when it is used.
 * @throws SkillError `UNSUPPORTED` if the package is not installed, and for containers with a folder of the user;
 * `CONFIG_INVALID` for a folder that cannot be used, and for a cluster without images.
 */
export async function defaultRuntime(
  { kind, isolation, image, cluster, hostFolder, root, skillCopies }: SandboxConfig,
  { onPull, namespace }: DefaultRuntimeOptions = {},
): Promise<WorkspaceRuntime> {
  if (kind === "docker") {
    if (hostFolder !== undefined) throw noFolder();
    const { dockerRuntime } = await importOptional(
      "@skillwright/runtime-docker",
      () => import("@skillwright/runtime-docker"),
    );
    const copies = skillCopies && { skillCopies: skillCopies as "none" };
    return dockerRuntime({ image, onPull, namespace, ...copies });
  }
  if (kind === "kubernetes") {
    if (hostFolder !== undefined) throw noFolder();
    const { kubernetesRuntime } = await importOptional(
      "@skillwright/runtime-kubernetes",
      () => import("@skillwright/runtime-kubernetes"),
    );
    return kubernetesRuntime({ image, ...cluster, owner: namespace });
  }
  const { localRuntime } = await import("@skillwright/runtime-local");
  return localRuntime({
    isolation,
    root,
    namespace,
    skillCopies,
    ...(hostFolder && { hostFolder: folderOf(hostFolder) }),
  });
}

function folderOf({ path, maxFiles, maxBytes }: NonNullable<SandboxConfig["hostFolder"]>) {
  return { path, maxFiles, maxBytes };
}

function noFolder(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "Containers cannot work in a folder of this machine. Leave out the folder and upload the files, or use the local runtime (in the terminal: --runtime local).",
  );
}
