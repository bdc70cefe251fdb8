import type { RequestOptions } from "node:https";
import { SkillError } from "@skillwright/core";
import type { KubernetesRuntimeOptions } from "../kubernetes-runtime-options.js";

/** Where the API server is, and how this process proves who it is. */
export interface Access {
  readonly server: string;
  readonly namespace: string;
  readonly tls: Pick<RequestOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "servername">;
  /** Asked for each call: tokens expire. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** @throws SkillError `CONFIG_INVALID`. */
export async function clusterAccess({
  kubeconfig,
  context,
  namespace,
}: KubernetesRuntimeOptions): Promise<Access> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
    if (context !== undefined) config.setCurrentContext(context);
  } catch (error) {
    throw unfit(kubeconfig, error instanceof Error ? error.message : String(error));
  }
  const cluster = config.getCurrentCluster();
  if (!cluster)
    throw unfit(
      kubeconfig,
      `it names no cluster for the context ${JSON.stringify(config.getCurrentContext())}`,
    );
  if (!cluster.server.startsWith("https:"))
    throw unfit(kubeconfig, `the address ${cluster.server} does not begin with https:`);

  /** They may come from a file or a program, which fails at any time. */
  async function credentials(): Promise<RequestOptions> {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw noCredentials(error);
    }
    return options;
  }

  const { ca, cert, key, rejectUnauthorized, servername } = await credentials();
  return {
    server: cluster.server,
    namespace: namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? "default",
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
      ...(servername !== undefined && { servername }),
    },
    headers: async () => {
      const { headers = {}, auth } = await credentials();
      const basic = auth ? { authorization: `Basic ${Buffer.from(auth).toString("base64")}` } : {};
      return { ...(headers as Record<string, string>), ...basic };
    },
  };
}

function unfit(kubeconfig: string | undefined, why: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The Kubernetes runtime found no usable cluster in ${kubeconfig ?? "KUBECONFIG, ~/.kube/config or a service account"}: ${why}. Check the file with \`kubectl config view\`, or set the option kubeconfig.`,
    { details: { kubeconfig } },
  );
}

function noCredentials(cause: unknown): SkillError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SkillError(
    "BACKEND_FAILED",
    `The credentials for the API server could not be read: ${why}. Check the user in the kubeconfig, and the file or program that it names.`,
    { cause },
  );
}
