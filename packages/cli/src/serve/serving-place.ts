import { type LoadedConfiguration, openStores, type Stores } from "@skillwright/config";
import {
  type Diagnostic,
  SkillError,
  type WorkspaceRegistry,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { localRuntime } from "@skillwright/runtime-local";
import type { ServedAgent } from "@skillwright/server";
import type { CliContext } from "../cli-context.js";
import { dataFolder } from "./data-folder.js";
import type { ServeFlags } from "./serve-agent.js";

export interface ServingPlace {
  readonly stores: Stores;
  readonly runtime: WorkspaceRuntime;
  /** The runtime's own registry, or one in the records. */
  readonly registry: WorkspaceRegistry;
  /** Closes the runtime and the stores. */
  close(): Promise<void>;
}

/** Opens the stores and the runtime that the command line and the configuration name. */
export async function servingPlace(
  flags: Pick<ServeFlags, "isolation" | "data" | "records" | "artifacts" | "issuer">,
  { configuration }: LoadedConfiguration,
  context: CliContext,
): Promise<ServingPlace> {
  const { cwd, env, remark } = context;
  const onDiagnostic = ({ message, hint }: Diagnostic) => remark(`${message} ${hint}`);
  // With --data, everything is in that folder unless another option gives it a place; the configuration's places are not used.
  const configured = flags.data === undefined ? configuration.stores : {};
  const { records = configured.records, artifacts = configured.artifacts } = flags;
  const isElsewhere = records !== undefined && artifacts !== undefined;
  const data = isElsewhere && flags.data === undefined ? undefined : dataFolder(flags.data, context);
  const stores = await openStores({ data, records, artifacts, cwd, env, onDiagnostic });
  const sandbox: NonNullable<ServedAgent["sandbox"]> = Object(configuration.agent["sandbox"]);
  const runtime = await runtimeOf(sandbox, flags, stores.namespace).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  return {
    stores,
    runtime,
    registry: runtime.registry ?? recordRegistry(stores.records),
    close: async () => {
      await runtime.close();
      await stores.close();
    },
  };
}

async function runtimeOf(
  sandbox: NonNullable<ServedAgent["sandbox"]>,
  { isolation, issuer }: Pick<ServeFlags, "isolation" | "issuer">,
  namespace: string,
): Promise<WorkspaceRuntime> {
  const { kind, image, root, cluster, skillCopies, hostFolder } = sandbox;
  if (hostFolder) throw noFolder();
  const isLocal = isolation !== undefined || kind === undefined || kind === "local";
  // Loaded only where they are used, because their clients take a while to load.
  if (!isLocal && kind === "kubernetes") {
    const { kubernetesRuntime } = await import("@skillwright/runtime-kubernetes");
    return kubernetesRuntime({ image, ...cluster, owner: namespace });
  }
  // The runtime checks the value and refuses one that it does not support.
  const copies = skillCopies && { skillCopies: skillCopies as "none" };
  if (!isLocal) {
    const { dockerRuntime } = await import("@skillwright/runtime-docker");
    return dockerRuntime({ image, namespace, ...copies });
  }
  const wanted = isolation ?? sandbox.isolation ?? "sandbox";
  if (issuer !== undefined && wanted !== "sandbox") throw notApart(wanted);
  return localRuntime({ isolation: wanted, ...{ root, namespace, skillCopies } });
}

function noFolder(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "A server cannot work in a folder of this machine, because it can ask nobody before its first turn. Remove agent.sandbox.hostFolder from the configuration, and upload the files.",
  );
}

function notApart(isolation: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `With --issuer, commands of several users run here, and without a sandbox they could see each other's files. Give --isolation sandbox instead of ${JSON.stringify(isolation)}, which the command line or agent.sandbox.isolation of the configuration names.`,
  );
}
