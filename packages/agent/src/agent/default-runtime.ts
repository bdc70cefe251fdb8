import type { WorkspaceRuntime } from "@skillwright/core";
import { importOptional } from "../models/import-optional.js";
import type { SandboxConfig } from "./agent-config.js";

/**
 * Creates the runtime of the configured kind. Its package is imported only when it is used.
 * @throws SkillError `UNSUPPORTED` if the package is not installed.
 */
export async function defaultRuntime({
  kind,
  isolation,
  image,
  hostFolder,
  root,
  skillCopies,
}: SandboxConfig): Promise<WorkspaceRuntime> {
  if (kind === "docker") {
    const { dockerRuntime } = await importOptional(
      "@skillwright/runtime-docker",
      () => import("@skillwright/runtime-docker"),
    );
    return dockerRuntime({ image, ...(skillCopies !== undefined && { skillCopies: skillCopies as "none" }) });
  }
  const { localRuntime } = await import("@skillwright/runtime-local");
  return localRuntime({
    isolation,
    root,
    skillCopies,
    ...(hostFolder && { hostFolder: folderOf(hostFolder) }),
  });
}

function folderOf({ path, maxFiles, maxBytes }: NonNullable<SandboxConfig["hostFolder"]>) {
  return { path, maxFiles, maxBytes };
}
