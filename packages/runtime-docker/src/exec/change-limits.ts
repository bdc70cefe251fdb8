import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { WorkspaceContainer } from "../container/workspace-container.js";

/** Limits of the whole container that can be changed while it runs. */
export const CHANGEABLE_LIMITS = ["memoryBytes", "cpu", "processes"] as const;
export type ChangeableLimits = Readonly<Record<(typeof CHANGEABLE_LIMITS)[number], number>>;

/** CPU period in microseconds. */
const PERIOD = 100_000;

/**
 * Sets the limits on all processes of a running container together; omitted limits stay unchanged.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`.
 */
export async function changeLimits(
  { container, engine }: Pick<WorkspaceContainer, "container" | "engine">,
  limits: Partial<ChangeableLimits>,
  options?: CallOptions,
): Promise<void> {
  await engine.call(
    "Setting the limits of a run",
    (abortSignal) =>
      engine.isPodman ? podmanUpdate(container, limits, abortSignal) : container.update(dockerUpdate(limits)),
    options,
  );
}

function dockerUpdate({ memoryBytes, cpu, processes }: Partial<ChangeableLimits>): Dockerode.HostConfig {
  return {
    // Set together with the swap limit, which could otherwise end up below it.
    ...(memoryBytes === undefined ? {} : { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(cpu === undefined ? {} : { NanoCpus: Math.round(cpu * 1e9) }),
    ...(processes === undefined ? {} : { PidsLimit: processes }),
  };
}

/** Podman's Docker-compatible API has no such call; its own API has. */
async function podmanUpdate(
  { id, modem }: Dockerode.Container,
  { memoryBytes, cpu, processes }: Partial<ChangeableLimits>,
  abortSignal: AbortSignal,
): Promise<void> {
  const request = {
    path: `/v4.0.0/libpod/containers/${id}/update`,
    method: "POST",
    options: {
      ...(memoryBytes === undefined ? {} : { memory: { limit: memoryBytes, swap: memoryBytes } }),
      ...(cpu === undefined
        ? {}
        : { cpu: { quota: Math.max(1000, Math.round(cpu * PERIOD)), period: PERIOD } }),
      ...(processes === undefined ? {} : { pids: { limit: processes } }),
    },
    abortSignal,
    statusCodes: { 200: true, 201: true, 204: true, 404: "no such container or call", 500: "server error" },
  };
  await new Promise<void>((resolve, reject) => {
    modem.dial(request, (error: unknown) => (error ? reject(error) : resolve()));
  });
}
