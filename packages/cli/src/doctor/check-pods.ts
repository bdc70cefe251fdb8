import { loadConfiguration } from "@skillwright/config";
import { SkillError } from "@skillwright/core";
import type { ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import type { Finding } from "./finding.js";

type Sandbox = NonNullable<ServedAgent["sandbox"]>;

/** Tests whether commands can run in the configured cluster, by running one in a pod that is removed afterwards. */
export async function checkPods({ cwd, env, signal }: CliContext): Promise<readonly Finding[]> {
  const { configuration } = await loadConfiguration({ cwd, env, signal });
  const { image, cluster }: Sandbox = Object(configuration.agent["sandbox"]);
  // Imported only here, because loading it takes several times as long as the rest of this command.
  const { checkCluster } = await import("@skillwright/runtime-kubernetes");
  try {
    return await checkCluster({ image, ...cluster }, { signal });
  } catch (error) {
    if (!SkillError.is(error, "CONFIG_INVALID")) throw error;
    return [{ check: "cluster", state: "missing", message: error.message }];
  }
}
